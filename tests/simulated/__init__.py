"""The literature services, simulated: real HTTP on loopback in the formats of the real APIs, with faults to order.

    with LiteratureService(documents) as service:
        service.fail("pubmed", Fault.TOO_MANY_REQUESTS)
        async with open_sources(settings=service.settings(cache_dir=tmp_path)) as sources:
            ...

It serves whatever `Document`s it is given. `ARTICLES` are invented for it: no such studies exist.
"""

from simulated._articles import ARTICLES, RETRACTED, TRIALS
from simulated._faults import Fault
from simulated._mortal import KILLED, Mortal, in_a_process_that_may_die
from simulated._server import LiteratureService, Seen
from simulated._turned import set_to, turned_to

__all__ = [
    "ARTICLES",
    "KILLED",
    "RETRACTED",
    "TRIALS",
    "Fault",
    "LiteratureService",
    "Mortal",
    "Seen",
    "in_a_process_that_may_die",
    "set_to",
    "turned_to",
]
