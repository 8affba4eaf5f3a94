"""The first schema: tables in the order in which they refer to each other, constraints inside them."""

import arpad.store.models.side
import arpad.store.models.tenancy
import arpad.store.models.tenants
import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Organisation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("name", models.CharField(max_length=120)),
                ("language", models.CharField(default="en", max_length=5)),
                ("time_zone", models.CharField(default="Europe/Brussels", max_length=60)),
                ("salt", models.BinaryField(default=arpad.store.models.tenants._salt, max_length=16)),
                ("chain_number", models.BigIntegerField(default=0)),
                (
                    "chain_link",
                    models.BinaryField(
                        default=b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
                        max_length=32,
                    ),
                ),
            ],
            options={
                "indexes": [],
                "constraints": [],
            },
        ),
        migrations.CreateModel(
            name="Text",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("body", models.TextField(default="")),
                ("salt", models.BinaryField(default=arpad.store.models.side._salt, max_length=16)),
                ("erased", models.BooleanField(default=False)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("organisation", "id"), name="text_org")],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Recording",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("number", models.BigIntegerField(null=True)),
                ("kind", models.CharField(max_length=20)),
                ("author", models.CharField(max_length=40)),
                ("role", models.CharField(default="results officer", max_length=40)),
                (
                    "reason",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.text",
                    ),
                ),
                ("reason_mac", models.BinaryField(default=b"", max_length=32)),
                ("recorded", models.DateTimeField()),
                ("facts", models.BigIntegerField(default=0)),
                ("digest", models.BinaryField(default=b"", max_length=32)),
                ("link", models.BinaryField(default=b"", max_length=32)),
                ("key", models.CharField(max_length=120, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="recording_org"),
                    models.UniqueConstraint(fields=("organisation", "number"), name="recording_number"),
                    models.UniqueConstraint(fields=("organisation", "key"), name="recording_key"),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Person",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                ("name_mac", models.BinaryField(max_length=32)),
                ("order_key", models.CharField(max_length=16)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="person_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="person_recording_org", target="Recording", set_wise=True
                    ),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Club",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                ("name", models.CharField(max_length=120)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="club_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="club_recording_org", target="Recording"
                    ),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.club",
                    ),
                ),
                ("since", models.DateField(null=True)),
                ("until", models.DateField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="membership_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="membership_recording_org", target="Recording"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="membership_person_org", target="Person"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="club_id", name="membership_club_org", target="Club"
                    ),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Pool",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                ("slug", models.SlugField(max_length=60)),
                ("name", models.CharField(max_length=120)),
                ("ruleset", models.CharField(max_length=40)),
                ("policy", models.CharField(default="published-stay", max_length=20)),
                ("window_days", models.IntegerField(default=0)),
                ("headline", models.CharField(default="", max_length=20)),
                ("current", models.BigIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="pool_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="pool_recording_org", target="Recording"
                    ),
                    models.UniqueConstraint(fields=("organisation", "slug"), name="pool_slug"),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                ("sha256", models.CharField(max_length=64)),
                ("content_digest", models.CharField(db_index=True, max_length=64)),
                ("format", models.CharField(max_length=30)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="import_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="import_recording_org", target="Recording"
                    ),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("start", models.DateField(null=True)),
                ("order_key", models.CharField(max_length=16)),
            ],
            options={
                "indexes": [models.Index(fields=["organisation", "name"], name="event_name")],
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="event_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="event_recording_org", target="Recording"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EventInPool",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                (
                    "pool",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.pool",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.event",
                    ),
                ),
                ("event_class", models.CharField(default="", max_length=10)),
                ("order", models.IntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(fields=["pool"], name="eventinpool_pool")],
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="eventinpool_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="eventinpool_recording_org", target="Recording"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="pool_id", name="eventinpool_pool_org", target="Pool"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="event_id", name="eventinpool_event_org", target="Event"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                (
                    "event",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.event",
                    ),
                ),
                ("day", models.IntegerField()),
                ("round", models.IntegerField(default=0)),
                ("board", models.IntegerField(default=0)),
                ("sequence", models.IntegerField(default=0)),
                (
                    "player1",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                (
                    "player2",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                ("result", models.CharField(max_length=16)),
                ("best_of", models.SmallIntegerField(default=0)),
                ("stones", models.SmallIntegerField(default=0)),
                ("weight", models.FloatField(null=True)),
                ("size", models.SmallIntegerField(default=0)),
                ("line", models.IntegerField(default=0)),
            ],
            options={
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="game_recording_org", target="Recording", set_wise=True
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="event_id", name="game_event_org", target="Event", set_wise=True
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="player1_id", name="game_player1_org", target="Person", set_wise=True
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="player2_id", name="game_player2_org", target="Person", set_wise=True
                    ),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Application",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                (
                    "pool",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.pool",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                ("day", models.IntegerField(default=0)),
                ("content", models.CharField(max_length=500)),
                (
                    "reason",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.text",
                    ),
                ),
                ("reason_mac", models.BinaryField(default=b"", max_length=32)),
            ],
            options={
                "indexes": [models.Index(fields=["pool"], name="application_pool")],
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="application_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id",
                        name="application_recording_org",
                        target="Recording",
                        set_wise=True,
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="pool_id", name="application_pool_org", target="Pool", set_wise=True
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="application_person_org", target="Person", set_wise=True
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="reason_id", name="application_reason_org", target="Text"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Correction",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                (
                    "pool",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.pool",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                ("day", models.IntegerField()),
                ("rating", models.FloatField()),
                (
                    "reason",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.text",
                    ),
                ),
                ("reason_mac", models.BinaryField(default=b"", max_length=32)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="correction_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="correction_recording_org", target="Recording"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="pool_id", name="correction_pool_org", target="Pool"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="correction_person_org", target="Person"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="reason_id", name="correction_reason_org", target="Text"
                    ),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Posting",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                (
                    "pool",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.pool",
                    ),
                ),
                ("day", models.IntegerField()),
                ("points", models.FloatField()),
                (
                    "reason",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.text",
                    ),
                ),
                ("reason_mac", models.BinaryField(default=b"", max_length=32)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="posting_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="posting_recording_org", target="Recording"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="pool_id", name="posting_pool_org", target="Pool"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="reason_id", name="posting_reason_org", target="Text"
                    ),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="ParameterChange",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                (
                    "pool",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.pool",
                    ),
                ),
                ("day", models.IntegerField(default=0)),
                ("name", models.CharField(max_length=40)),
                ("value", models.FloatField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="parameter_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="parameter_recording_org", target="Recording"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="pool_id", name="parameter_pool_org", target="Pool"
                    ),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="SamePerson",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                (
                    "kept",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                (
                    "merged",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="sameperson_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="sameperson_recording_org", target="Recording"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="kept_id", name="sameperson_kept_org", target="Person"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="merged_id", name="sameperson_merged_org", target="Person"
                    ),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Void",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "recording",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.recording",
                    ),
                ),
                ("uuid", models.UUIDField(editable=False, unique=True)),
                ("target_kind", models.CharField(max_length=20)),
                ("target_uuid", models.UUIDField(db_index=True)),
                ("target_key", models.BigIntegerField()),
                ("replaced_by", models.UUIDField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "id"), name="void_org"),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="recording_id", name="void_recording_org", target="Recording"
                    ),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="PersonName",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("recorded", models.DateTimeField(default=arpad.store.models.side._now)),
                ("recorded_by", models.CharField(default="", max_length=40)),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="names",
                        to="store.person",
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("shown", models.BooleanField(default=False)),
                ("first", models.BooleanField(default=False)),
                ("salt", models.BinaryField(default=arpad.store.models.side._salt, max_length=16)),
            ],
            options={
                "indexes": [models.Index(fields=["organisation", "name"], name="name_lookup")],
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="personname_person_org", target="Person", set_wise=True
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NameKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.PROTECT, to="store.organisation"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                ("part", models.CharField(max_length=80)),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["organisation", "part"],
                        name="namekey_part",
                        opclasses=["int8_ops", "varchar_pattern_ops"],
                    ),
                    models.Index(fields=["person"], name="namekey_person"),
                ],
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="namekey_person_org", target="Person", set_wise=True
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="BirthDate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("recorded", models.DateTimeField(default=arpad.store.models.side._now)),
                ("recorded_by", models.CharField(default="", max_length=40)),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                ("year", models.IntegerField()),
                ("day", models.DateField(null=True)),
            ],
            options={
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="birthdate_person_org", target="Person"
                    ),
                    models.UniqueConstraint(fields=("person",), name="birthdate_person"),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="PersonDetail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("recorded", models.DateTimeField(default=arpad.store.models.side._now)),
                ("recorded_by", models.CharField(default="", max_length=40)),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                ("sex", models.CharField(default="", max_length=1)),
                ("title", models.CharField(default="", max_length=5)),
                ("federation", models.CharField(default="", max_length=10)),
                ("told", models.DateField(null=True)),
            ],
            options={
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="persondetail_person_org", target="Person"
                    ),
                    models.UniqueConstraint(fields=("person",), name="persondetail_person"),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="OutsideId",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("recorded", models.DateTimeField(default=arpad.store.models.side._now)),
                ("recorded_by", models.CharField(default="", max_length=40)),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="outside_ids",
                        to="store.person",
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("value", models.CharField(max_length=40)),
                ("since", models.DateField(null=True)),
                ("until", models.DateField(null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["organisation", "kind", "value"], name="outsideid_lookup")],
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="outsideid_person_org", target="Person"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("recorded", models.DateTimeField(default=arpad.store.models.side._now)),
                ("recorded_by", models.CharField(default="", max_length=40)),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                ("spelling", models.CharField(max_length=200)),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
            ],
            options={
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="decision_person_org", target="Person"
                    ),
                    models.UniqueConstraint(fields=("organisation", "spelling"), name="decision_spelling"),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="KeptApart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("recorded", models.DateTimeField(default=arpad.store.models.side._now)),
                ("recorded_by", models.CharField(default="", max_length=40)),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
            ],
            options={
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="keptapart_person_org", target="Person"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="other_id", name="keptapart_other_org", target="Person"
                    ),
                    models.UniqueConstraint(fields=("person", "other"), name="keptapart_pair"),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="PersonStatus",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("recorded", models.DateTimeField(default=arpad.store.models.side._now)),
                ("recorded_by", models.CharField(default="", max_length=40)),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                ("status", models.CharField(max_length=20)),
                ("since", models.DateField()),
                ("until", models.DateField(null=True)),
            ],
            options={
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="personstatus_person_org", target="Person"
                    )
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="RawFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                ("sha256", models.CharField(max_length=64)),
                ("name", models.CharField(max_length=200)),
                ("content", models.BinaryField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organisation", "sha256"), name="rawfile_sha")
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Settlement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="settlements",
                        to="store.pool",
                    ),
                ),
                ("number", models.BigIntegerField()),
                ("through", models.BigIntegerField()),
                ("full", models.BooleanField(default=False)),
                ("done", models.BooleanField(default=False)),
                ("digest", models.CharField(default="", max_length=64)),
                ("ruleset_digest", models.CharField(default="", max_length=64)),
                ("rows_changed", models.BigIntegerField(default=0)),
                ("rows_written", models.BigIntegerField(default=0)),
                ("players_changed", models.BigIntegerField(default=0)),
                ("rated_through", models.IntegerField(default=0)),
                ("started", models.DateTimeField()),
                ("seconds", models.FloatField(default=0.0)),
            ],
            options={
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="pool_id", name="settlement_pool_org", target="Pool"
                    ),
                    models.UniqueConstraint(fields=("organisation", "id"), name="settlement_org"),
                    models.UniqueConstraint(fields=("pool", "number"), name="settlement_number"),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Change",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="store.pool",
                    ),
                ),
                ("settlement", models.BigIntegerField()),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                ("kind", models.SmallIntegerField()),
                ("subject", models.BigIntegerField()),
                ("day", models.IntegerField()),
                ("place", models.BigIntegerField()),
                ("opponent", models.BigIntegerField(default=0)),
                ("before", models.IntegerField()),
                ("expected", models.IntegerField(default=-1)),
                ("change", models.IntegerField(default=0)),
                ("after", models.IntegerField(null=True)),
                ("gone", models.BooleanField(default=False)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["pool", "person", "kind", "subject"], name="change_person"),
                    models.Index(fields=["pool", "settlement"], name="change_settlement"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="store.organisation",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="store.pool",
                    ),
                ),
                ("settlement", models.BigIntegerField()),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                ("rating", models.IntegerField()),
                ("label", models.CharField(max_length=20)),
                ("games", models.IntegerField()),
                ("last_played", models.IntegerField(default=0)),
                ("state", models.CharField(max_length=200)),
                ("gone", models.BooleanField(default=False)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["pool", "person", "settlement"], name="standing_person"),
                    models.Index(fields=["pool", "rating"], name="standing_rating"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Effect",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.PROTECT, to="store.organisation"
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="store.pool",
                    ),
                ),
                ("settlement", models.BigIntegerField()),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                ("day", models.IntegerField()),
                ("kind", models.SmallIntegerField()),
                ("subject", models.BigIntegerField()),
                ("old", models.IntegerField(null=True)),
                ("new", models.IntegerField(null=True)),
                ("old_now", models.IntegerField(null=True)),
                ("new_now", models.IntegerField(null=True)),
                ("old_label", models.CharField(default="", max_length=20)),
                ("new_label", models.CharField(default="", max_length=20)),
                ("cause", models.CharField(max_length=20)),
                ("through", models.BigIntegerField(default=0)),
                ("through_game", models.BigIntegerField(default=0)),
                ("fact_kind", models.CharField(default="", max_length=20)),
                ("fact_key", models.BigIntegerField(default=0)),
                ("recording", models.BigIntegerField(default=0)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["pool", "settlement"], name="effect_settlement"),
                    models.Index(fields=["pool", "person"], name="effect_person"),
                ],
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="pool_id", name="effect_pool_org", target="Pool"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="effect_person_org", target="Person"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingList",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="store.organisation"),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lists",
                        to="store.pool",
                    ),
                ),
                ("uuid", models.UUIDField(unique=True)),
                ("day", models.IntegerField()),
                ("version", models.IntegerField(default=1)),
                ("published", models.DateTimeField()),
                ("author", models.CharField(max_length=40)),
                ("through", models.BigIntegerField()),
                ("settlement", models.BigIntegerField()),
                ("ruleset_digest", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64)),
                ("withdrawn", models.DateTimeField(null=True)),
                (
                    "withdrawn_reason",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="store.text",
                    ),
                ),
            ],
            options={
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="pool_id", name="ratinglist_pool_org", target="Pool"
                    ),
                    models.UniqueConstraint(fields=("organisation", "id"), name="ratinglist_org"),
                    models.UniqueConstraint(fields=("pool", "day", "version"), name="ratinglist_version"),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="ListEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.PROTECT, to="store.organisation"
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="store.ratinglist",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="store.person",
                    ),
                ),
                ("rating", models.IntegerField()),
                ("label", models.CharField(max_length=20)),
                ("games", models.IntegerField()),
            ],
            options={
                "constraints": [
                    arpad.store.models.tenancy.SameOrganisation(
                        column="list_id", name="listentry_list_org", target="RatingList"
                    ),
                    arpad.store.models.tenancy.SameOrganisation(
                        column="person_id", name="listentry_person_org", target="Person"
                    ),
                ],
                "indexes": [],
            },
        ),
        migrations.CreateModel(
            name="Lease",
            fields=[
                (
                    "pool",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="store.pool",
                    ),
                ),
                ("holder", models.CharField(default="", max_length=80)),
                ("fence", models.BigIntegerField(default=0)),
                ("until", models.FloatField(default=0.0)),
            ],
            options={
                "indexes": [],
                "constraints": [],
            },
        ),
    ]
