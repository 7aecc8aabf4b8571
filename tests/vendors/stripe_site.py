"""Stripe's API for journeys in a browser, with one product: `python -m tests.vendors.stripe_site`.

Stripe's script pays with a client `secret`.
"""

from tests.vendors.site import serve
from tests.vendors.stripe_api import FakeStripe

if __name__ == "__main__":
    fake = FakeStripe()
    fake.books.sell("Pro", ("usd", 1900, "month"))
    serve(fake, lambda said: fake.books.pay(said["secret"]))
