# Prints what is sent to the datagram socket of sd_notify(3) at the given path, a line per assignment. Leaves out the
# barrier, with which systemd-notify waits until a message was read.
import socket
import sys

listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
print('LISTENING', flush=True)
while True:
    # Descriptors in a message are closed on arrival, for which systemd-notify waits.
    for assignment in listener.recv(4096).decode().split('\n'):
        if assignment not in ('', 'BARRIER=1'):
            print(assignment, flush=True)
