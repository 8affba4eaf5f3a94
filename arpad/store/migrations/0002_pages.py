"""The site's settings and privacy choices, and the indexes its pages read by."""

import arpad.store.models.tenancy
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("store", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="OrganisationPage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("open", models.BooleanField(default=False)),
                ("introduction", models.TextField(blank=True, default="")),
                ("committee", models.TextField(blank=True, default="")),
                ("contact", models.CharField(blank=True, default="", max_length=200)),
                ("corrections", models.TextField(blank=True, default="")),
                ("closing", models.CharField(blank=True, default="", max_length=200)),
                ("minors", models.CharField(default="initial", max_length=10)),
                ("unknown_age", models.CharField(default="minor", max_length=10)),
                ("initial_of", models.CharField(default="core", max_length=10)),
                ("privacy_version", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="PersonPrivacy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("shown", models.CharField(max_length=10)),
                ("decided", models.DateTimeField()),
                ("by", models.CharField(blank=True, default="", max_length=40)),
            ],
        ),
        migrations.CreateModel(
            name="PoolPage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("visible", models.CharField(default="public", max_length=10)),
                ("youth", models.BooleanField(default=False)),
                ("quiet", models.BooleanField(default=False)),
                ("order", models.IntegerField(default=0)),
            ],
        ),
        migrations.AddIndex(
            model_name="listentry",
            index=models.Index(fields=["list", "person"], name="listentry_person"),
        ),
        migrations.AddIndex(
            model_name="membership",
            index=models.Index(fields=["person"], name="membership_person"),
        ),
        migrations.AddIndex(
            model_name="membership",
            index=models.Index(fields=["club"], name="membership_club"),
        ),
        migrations.AddField(
            model_name="organisationpage",
            name="organisation",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="page", to="store.organisation"
            ),
        ),
        migrations.AddField(
            model_name="personprivacy",
            name="organisation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="store.organisation"
            ),
        ),
        migrations.AddField(
            model_name="personprivacy",
            name="person",
            field=models.OneToOneField(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="privacy",
                to="store.person",
            ),
        ),
        migrations.AddField(
            model_name="poolpage",
            name="organisation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="store.organisation"
            ),
        ),
        migrations.AddField(
            model_name="poolpage",
            name="pool",
            field=models.OneToOneField(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="page",
                to="store.pool",
            ),
        ),
        migrations.AddConstraint(
            model_name="personprivacy",
            constraint=arpad.store.models.tenancy.SameOrganisation(
                column="person_id", name="personprivacy_person_org", target="Person"
            ),
        ),
        migrations.AddConstraint(
            model_name="poolpage",
            constraint=arpad.store.models.tenancy.SameOrganisation(
                column="pool_id", name="poolpage_pool_org", target="Pool"
            ),
        ),
    ]
