import threading


def think():
    raise ValueError("no idea")


thread = threading.Thread(target=think, name="thinker")
thread.start()
thread.join()
