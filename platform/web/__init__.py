"""The pages: views, forms, words, templates. HTTP lives here, and nothing is decided."""
