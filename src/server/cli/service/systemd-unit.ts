import type { ServiceProgram } from './definition.ts'

export const ACCOUNT = 'tidegate'
/** `StateDirectory=` makes it, for that account only. */
export const STATE_FOLDER = '/var/lib/tidegate'

export interface UnitNeeds {
  /** The server listens on a port below 1024. */
  readonly lowPort: boolean
  /** Folders outside of the data folder that the server writes to. */
  readonly writable: readonly string[]
}

/** Returns the unit of the service for systemd 247 or newer. Every directive is one that Debian 12 knows. */
export function systemdUnit(program: ServiceProgram, needs: UnitNeeds): string {
  const { lowPort, writable } = needs
  const capability = lowPort ? 'CAP_NET_BIND_SERVICE' : ''
  return `# Made by "tidegate service install", which replaces it. Change it with "systemctl edit tidegate".
[Unit]
Description=Tidegate update server
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=10min
StartLimitBurst=5

[Service]
Type=notify
# systemd-notify is a process of its own.
NotifyAccess=all
ExecStart=${[program.node, program.entry].map(quoted).join(' ')} serve --data ${STATE_FOLDER}
ExecReload=/bin/kill -HUP $MAINPID
WatchdogSec=2min
# An update can copy and migrate a large database first.
TimeoutStartSec=30min
# systemd-notify is not to be stopped with the server.
KillMode=mixed
TimeoutStopSec=1min
Restart=on-failure
RestartSec=5
# Wrong settings stay wrong.
RestartPreventExitStatus=2
User=${ACCOUNT}
Group=${ACCOUNT}
StateDirectory=tidegate
StateDirectoryMode=0700
CacheDirectory=tidegate
CacheDirectoryMode=0700
Environment=XDG_CACHE_HOME=/var/cache
WorkingDirectory=${STATE_FOLDER}
UMask=0077
LimitNOFILE=65536
SyslogIdentifier=tidegate
StandardOutput=journal
StandardError=journal

# Restrictions. MemoryDenyWriteExecute is missing: the compiler of Node.js needs such memory.
AmbientCapabilities=${capability}
CapabilityBoundingSet=${capability}
KeyringMode=private
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateMounts=yes
PrivateTmp=yes
${lowPort ? '# PrivateUsers is missing: a port below 1024 needs a capability on the host.\n' : 'PrivateUsers=yes\n'}ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
${writable.map((folder) => `ReadWritePaths=-${quoted(folder)}\n`).join('')}RemoveIPC=yes
# Netlink: the addresses of this computer.
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources

[Install]
WantedBy=multi-user.target
`
}

/** As systemd.service(5) reads a word: percent signs and dollars have a meaning. */
function quoted(word: string): string {
  const escaped = word.replaceAll('%', '%%').replaceAll('$', '$$$$')
  if (/^[\w@%/.:+=$-]+$/.test(escaped)) return escaped
  return `"${escaped.replace(/["\\]/g, '\\$&')}"`
}
