"""Peers by what they are: addresses of clouds' metadata servers, ports of databases."""

from __future__ import annotations

METADATA = ("169.254.169.254", "169.254.170.2", "fd00:ec2::254", "metadata", "metadata.google.internal", "metadata.azure.internal")
"""AWS, Google Cloud, Azure and ECS: their documentation of instance metadata."""

DATABASES = {1433: "SQL Server", 1521: "Oracle", 3306: "MySQL", 5432: "PostgreSQL", 6379: "Redis", 9042: "Cassandra",
             9200: "Elasticsearch", 27017: "MongoDB", 11211: "memcached"}
"""By the port that IANA, or their own documentation, gives them."""
