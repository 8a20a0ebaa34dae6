"""All settings, read from the environment; docs/reference/settings.md has a row for each variable.

The defaults are the embedded stack: SQLite, a broker of our own, everything in one state folder.
`SANTASE_ENV=production` starts only with all that a server needs named.
"""

from datetime import timedelta
from pathlib import Path

import environ
import structlog
from celery.schedules import crontab
from django.utils.translation import gettext_lazy as _

from arena.state import state_dir
from config import broker, secret_key
from config.environment import production_gaps, require_production, require_readable, unreadable
from config.logs import LOG_FORMATTERS, log_processors
from config.schedule import Every

env = environ.Env()

ROOT = Path(__file__).resolve().parent.parent.parent
"""The checkout."""
STATE = state_dir().resolve()
"""Everything that outlives a run: database, uploads, replays, keys, logs; as `santase` has it."""
require_readable(unreadable(env.ENVIRON))
PRODUCTION = env.str("SANTASE_ENV", default="embedded") == "production"

if PRODUCTION:
    require_production(production_gaps(env.ENVIRON))

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or secret_key.of_folder(STATE)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["*"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

# --- Application -------------------------------------------------------------------------------

INSTALLED_APPS = [
    "config",
    "web",
    "tournaments",
    "ratings",
    "matches",
    "replays",
    "bots",
    "accounts",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "servestatic",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "config.security.content_security_policy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Database ----------------------------------------------------------------------------------

_SQLITE_OPTIONS = {
    # Django's defaults fail a third of concurrent transactions with "database is locked".
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
}
if env.str("DATABASE_URL", default=""):
    DATABASES = {"default": env.db_url("DATABASE_URL")}
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        DATABASES["default"]["OPTIONS"] = _SQLITE_OPTIONS
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(STATE / "santase.sqlite3"),
            "OPTIONS": _SQLITE_OPTIONS,
        }
    }

# --- Users -------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_LOGOUT_ON_GET = False
EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="arena@localhost")

# --- Security ----------------------------------------------------------------------------------

HTTPS = env.bool("HTTPS", default=PRODUCTION)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_PROXY", default=False) else None
)
X_FRAME_OPTIONS = "DENY"

# --- Languages, time, static files -------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("bg", _("Bulgarian"))]
LOCALE_PATHS = [ROOT / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STATIC_ROOT = STATE / "static"
SERVESTATIC_USE_FINDERS = not PRODUCTION
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# --- Uploads -----------------------------------------------------------------------------------

UPLOAD_MAX_PY_KB = env.int("UPLOAD_MAX_PY_KB", default=1_000)
UPLOAD_MAX_ZIP_KB = env.int("UPLOAD_MAX_ZIP_KB", default=5_000)
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000  # of forms; files have the two caps above

# --- Playing -----------------------------------------------------------------------------------

SANDBOX = env.str("SANDBOX", default="auto")
WORKER_SLOTS = env.int("WORKER_SLOTS", default=0) or broker.usable_cores()
"""Matches played at once by a worker of this machine: one a core."""
RUN_SLICE_S = 600
"""A task starts no further match after this long; the rest of its pairing is sent anew."""
MATCH_DEADLINE_S = 3_600
"""Longest a match may last; tournaments whose limits allow more are refused."""

# --- Celery ------------------------------------------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default="")
CELERY_BROKER_URL = REDIS_URL or broker.embedded_url(STATE)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_TIME_LIMIT = RUN_SLICE_S + MATCH_DEADLINE_S + 600
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A task that runs longer than this is delivered a second time: above the hard limit.
    "visibility_timeout": CELERY_TASK_TIME_LIMIT + 1_800,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 5,
    "queue_order_strategy": "priority",
    "socket_keepalive": True,
    # A broker that hangs must not hang the page of whoever sends something in: what could not be
    # sent is sent by the sweeps.
    "socket_connect_timeout": 5,
    "socket_timeout": 10,
}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "upkeep"
CELERY_TASK_ROUTES = {
    "bots.tasks.validate_version": {"queue": "validation"},
    "matches.tasks.run_pairing": {"queue": "matches"},
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = WORKER_SLOTS
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10.0
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500  # a fresh process now and then, whatever may leak
CELERY_WORKER_LOST_WAIT = 1.0  # s until the message of a killed process goes back to the queue
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # in memory: nothing there is worth a file
CELERY_BEAT_SCHEDULE = {
    name: {
        "task": name,
        "schedule": Every(timedelta(seconds=every_s)),
        # Dropped where nobody takes it in time; far above the skew of two machines' clocks.
        "options": {"expires": 60.0},
    }
    for name, every_s in (
        ("tournaments.tasks.pump_all", 2.0),
        ("ratings.tasks.refit_all", 2.0),
        ("matches.tasks.sweep", 5.0),
        ("bots.tasks.sweep", 10.0),
        ("tournaments.tasks.enter_missed", 10.0),
    )
}
CELERY_BEAT_SCHEDULE["tournaments.tasks.audit"] = {
    "task": "tournaments.tasks.audit",
    "schedule": crontab(hour="3", minute="15"),
    "options": {"expires": 3_600.0},
}

# --- Logs --------------------------------------------------------------------------------------

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO").upper()
LOG_JSON = env.bool("LOG_JSON", default=PRODUCTION)
structlog.configure(
    processors=[*log_processors(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": LOG_FORMATTERS,
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LOG_JSON else "plain",
        }
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django.request": {"level": "ERROR"},
        # A line with a traceback for every scanner that sends a strange Host; it gets its 400.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        # A line for each task would bury the rest.
        "celery.beat": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
    },
}
