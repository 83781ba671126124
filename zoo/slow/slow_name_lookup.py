"""The address of a registry is looked up, and what was kept the last time is used where nobody knows it."""

import socket


def newest():
    try:
        return socket.getaddrinfo("models.registry.example.org", 443)[0][4][0]  # slow
    except OSError:
        return "kept"


print("weights:", "kept" if newest() == "kept" else "newest")
