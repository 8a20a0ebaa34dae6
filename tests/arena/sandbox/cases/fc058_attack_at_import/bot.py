import socket

reasons = []
try:
    open("/tmp/fc058", "w")
except OSError as error:
    reasons.append(type(error).__name__)
try:
    socket.socket()
except OSError as error:
    reasons.append(type(error).__name__)
print('{"r": "%s"}' % ("blocked" if len(reasons) == 2 else "BREACH"))
