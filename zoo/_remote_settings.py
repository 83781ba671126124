"""Reads the training settings from a settings service while it is being imported."""
import json
import os
import socket

with socket.create_connection(("127.0.0.1", int(os.environ["SETTINGS_PORT"]))) as connection:
    connection.sendall(b"GET settings\n")
    SETTINGS = json.loads(connection.makefile().readline())
