"""The Django application of the site."""

from __future__ import annotations

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "arpad.web"
    label = "web"
    default_auto_field = "django.db.models.BigAutoField"
