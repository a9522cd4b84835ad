"""The web door: pages, REST and live progress over the same calls as the command line. Needs the extra `web`.

from evidencegate.web import WebSettings, create_app

app = create_app(WebSettings.of(libraries=["trials"]))
"""

from evidencegate.web._app import create_app
from evidencegate.web._jobs import Job, Jobs, Kind
from evidencegate.web._settings import WebSettings

__all__ = ["Job", "Jobs", "Kind", "WebSettings", "create_app"]
