"""The slow network of the browser tests closes each connection, also one that comes as it ends."""

import socket
import time

from tests.browser.slow import SlowNetwork


def test_a_connection_that_comes_as_the_network_ends():
    with socket.create_server(("127.0.0.1", 0)) as behind:
        with SlowNetwork(behind.getsockname()[1]) as network:
            visitors = []

            def come():
                visitors.append(
                    socket.create_connection(("127.0.0.1", int(network.address.rpartition(":")[2])))
                )
                time.sleep(0.2)  # the network is asked to end in the same turn of its loop

            network._loop.call_soon_threadsafe(come)
            time.sleep(0.05)
        for visitor in visitors:
            visitor.settimeout(5)
            assert visitor.recv(1) == b""
            visitor.close()
