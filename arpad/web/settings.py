"""Django settings of the site: those of the store, and what pages need.

ARPAD_SECRET_KEY    signs sessions; default: the file secret-key in the data folder, made by `arpad serve`
ARPAD_HOSTS         names under which the site answers, with commas; default: this machine alone
ARPAD_HTTPS         1: behind HTTPS (cookies are __Host-, HSTS is sent)
"""

from __future__ import annotations

import os

from csp.constants import NONE, SELF

from arpad.store import settings as store
from arpad.store.settings import DATA, DATABASES, DEFAULT_AUTO_FIELD, USE_TZ
from arpad.web.made import made_folder, secret_key

DATA, DATABASES, DEFAULT_AUTO_FIELD, USE_TZ = DATA, DATABASES, DEFAULT_AUTO_FIELD, USE_TZ
SECRET_KEY = os.environ.get("ARPAD_SECRET_KEY") or secret_key(DATA)
HTTPS = os.environ.get("ARPAD_HTTPS") == "1"
ALLOWED_HOSTS = [
    host for host in os.environ.get("ARPAD_HOSTS", "localhost,127.0.0.1,[::1]").split(",") if host
]
DEBUG = False
INSTALLED_APPS = [
    *store.INSTALLED_APPS,
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_htmx",
    "arpad.web",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "arpad.web.middleware.Headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "arpad.web.middleware.Language",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
]
ROOT_URLCONF = "arpad.web.urls"
ASGI_APPLICATION = "arpad.web.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": ["django.template.context_processors.request"],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.l10n",
                "arpad.web.templatetags.arpad",
            ],
        },
    }
]
LANGUAGES = [("nl", "Nederlands"), ("fr", "Français"), ("de", "Deutsch"), ("en", "English")]
LANGUAGE_CODE = "en"
USE_I18N = True
USE_THOUSAND_SEPARATOR = False
TIME_ZONE = "UTC"  # pages use the organisation's
LOCALE_PATHS = [str(made_folder(DATA) / "locale")]
STATIC_URL = "/static/"
STATIC_ROOT = str(made_folder(DATA) / "static")
STATICFILES_DIRS = [str(made_folder(DATA) / "fonts")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.ManifestStaticFilesStorage"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
APPEND_SLASH = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000

# --- safety -------------------------------------------------------------------------------------------
SESSION_COOKIE_NAME = "__Host-session" if HTTPS else "session"
CSRF_COOKIE_NAME = "__Host-csrf" if HTTPS else "csrf"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]
# How the site asks the worker: by its socket in the data folder, or "inline" in one process (tests).
ARPAD_WORKER = os.environ.get("ARPAD_WORKER", "socket")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "loggers": {
        "django.request": {"handlers": ["console"], "level": "ERROR", "propagate": False},
        "arpad": {"handlers": ["console"], "level": "INFO"},
    },
}
