"""An upgrade ends with the new tables, guarded and verified, or with everything as it was."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from django.db import connection
from django.test import override_settings

from arpad.domain.problems import Refused
from arpad.store import migrations, triggers
from arpad.store.models import Game, Recording
from arpad.store.recorder import recording
from arpad.store.upgrade import upgrade, waiting
from arpad.store.verify import verify
from tests.store.kept import everything

NEXT = {
    # SQLite remakes the table for this, and its triggers are gone then
    "remakes_a_table": "migrations.AlterField('club', 'name', models.CharField(max_length=130))",
    "changes_a_fact": "migrations.RunPython(damage)",
    "stumbles_half_way": "migrations.RunPython(stumble)",
}
SOURCE = """
from django.db import migrations, models

def damage(apps, editor):
    for kind in ("update",):
        on = " ON store_game" if editor.connection.vendor == "postgresql" else ""
        editor.execute(f"DROP TRIGGER store_game_no_{kind}{on}")
    editor.execute("UPDATE store_game SET result = '0-1' WHERE result = '1-0'")

def stumble(apps, editor):
    editor.execute("CREATE TABLE store_half (id integer)")
    raise RuntimeError("half way")

class Migration(migrations.Migration):
    dependencies = [("store", "NEWEST")]
    operations = [OPERATION]
"""


@pytest.fixture
def release(organisation, tmp_path, monkeypatch):
    """release(name): a next release whose migration is that of NEXT."""
    everything(organisation)
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    monkeypatch.syspath_prepend(str(tmp_path))
    stack = []

    def make(name):
        package = tmp_path / f"later_{name}"
        package.mkdir()
        (package / "__init__.py").touch()
        released = sorted(path.stem for path in Path(migrations.__path__[0]).glob("0*.py"))
        for module in released:
            again = "from importlib import import_module\n"
            again += f"Migration = import_module('arpad.store.migrations.{module}').Migration\n"
            (package / f"{module}.py").write_text(again)
        later = SOURCE.replace("OPERATION", NEXT[name]).replace("NEWEST", released[-1])
        (package / "9999_later.py").write_text(later)
        settings = override_settings(MIGRATION_MODULES={"store": package.name})
        settings.enable()
        stack.append(settings)

    yield make
    for settings in stack:
        settings.disable()
    for name in [name for name in sys.modules if name.startswith("later_")]:
        del sys.modules[name]


def test_the_tables_are_new_and_guarded_afterwards(release, organisation, tmp_path):
    before = bytes(organisation.__class__.objects.get().chain_link)
    release("remakes_a_table")
    assert waiting() == ("store 9999_later",)
    done = upgrade(tmp_path / "backups")
    assert done.applied == ("store 9999_later",)
    assert stat.S_IMODE(done.backup.stat().st_mode) == 0o600
    assert triggers.expected() <= triggers.names()
    assert done.report.good
    assert done.report.counts["derived rows"] > 0
    organisation.refresh_from_db()
    assert bytes(organisation.chain_link) == before
    again = upgrade(tmp_path / "backups")
    assert (again.applied, again.backup, again.report.good) == ((), None, True)
    with recording(organisation, author="1") as r:
        r.person("Somebody New")


@pytest.mark.parametrize(
    ("name", "told"), [("changes_a_fact", "content was changed"), ("stumbles_half_way", "half way")]
)
def test_a_failed_upgrade_leaves_everything_as_it_was(release, organisation, tmp_path, name, told):
    results = list(Game.objects.order_by("pk").values_list("result", flat=True))
    recordings = Recording.objects.count()
    release(name)
    with pytest.raises(Refused, match=rf"upgrade-failed.*{told}"):
        upgrade(tmp_path / "backups")
    assert list(Game.objects.order_by("pk").values_list("result", flat=True)) == results
    assert Recording.objects.count() == recordings
    assert "store_half" not in connection.introspection.table_names()
    assert waiting() == ("store 9999_later",)
    assert triggers.expected() <= triggers.names()
    report = verify()
    assert report.good, report.bad
    assert len(list((tmp_path / "backups").iterdir())) == 1


def test_triggers_that_are_gone_come_back(organisation, tmp_path):
    everything(organisation, settle=False)
    with connection.cursor() as cursor:
        on = " ON store_game" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER store_game_no_update{on}")
    assert not verify().good
    assert upgrade(tmp_path / "backups").report.good
    assert verify().good
