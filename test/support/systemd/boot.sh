#!/bin/bash
# Boots a systemd with few units. Run by machine.ts in namespaces of its own: what is mounted and written here is seen
# by nobody else.
set -eu

mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mkdir -p /run/scratch/etc /run/scratch/work /run/units
for unit in basic sysinit shutdown network network-online multi-user sockets paths timers slices umount final local-fs; do
  cp "/usr/lib/systemd/system/$unit.target" /run/units/
done
cp /usr/lib/systemd/system/systemd-journald{.service,.socket,-dev-log.socket} /run/units/

mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/scratch/etc,workdir=/run/scratch/work /etc
rm -rf /etc/systemd/system/*
tr -d - < /proc/sys/kernel/random/uuid > /etc/machine-id
mount -t tmpfs tmpfs /var
mkdir -p /var/lib /var/cache /var/log /var/tmp
mount -t cgroup2 cgroup2 /sys/fs/cgroup

export container=namespace SYSTEMD_UNIT_PATH=/etc/systemd/system:/run/units
exec /lib/systemd/systemd --system --unit=multi-user.target --show-status=false
