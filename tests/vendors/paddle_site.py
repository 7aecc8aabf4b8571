"""Paddle's API for journeys in a browser: `python -m tests.vendors.paddle_site`. Its frame pays a `transaction`."""

from tests.vendors.paddle_api import FakePaddle
from tests.vendors.site import serve

if __name__ == "__main__":
    fake = FakePaddle()
    serve(fake, lambda said: fake.books.pay(said["transaction"]))
