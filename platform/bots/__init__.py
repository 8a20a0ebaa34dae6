"""Bots and their versions: uploads, the checks they pass, who may see what of them."""
