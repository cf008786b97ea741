export const text = {
  description: 'Start the server',
  metricsAt: (address: string) => `Metrics: ${address}`,
  listening: (address: string) => `Tidegate is listening on ${address}`,

  building: 'The console is being built. This takes a few seconds.',
  built: 'The console is built.',
  notBuilt: (reason: string) => `warning: the console could not be built: ${reason}`,
  consoleAt: (address: string) => `Console: ${address}`,
  newBrowser: (link: string) => `In a browser that you have not signed in from yet: ${link}`,
  noAccount: (command: string) =>
    `No account yet. Print the link that creates the first one: ${command}`,
  createdFirst: (name: string) => `Created the first account: ${name}`,
  setUp: (link: string) => `Create the first account within 15 minutes: ${link}`,

  restoring: (name: string) =>
    `${name} is restoring a backup from the console. The server restarts.`,
  unknownVariable: (name: string) =>
    `the environment variable ${name} is not a setting, so it has no effect; "serve --help" lists the settings`,
  restored: 'The backup was restored.',
  restoredInPlaceOf: (aside: string) =>
    `The backup was restored. The previous database was moved to ${aside}.`,
  notRestored: (reason: string) =>
    `warning: the backup was not restored, and the previous database is in use: ${reason}`,

  fingerprint: (sha256: string) => `Certificate fingerprint (SHA-256): ${sha256}`,
  plainHttp:
    'WARNING: the console is offered to the network WITHOUT ENCRYPTION (--console-plain-http). Anyone on the network can read passwords and take over sessions. Use --tls-self-signed instead.',
  needsTls:
    'warning: --console lan offers the console to the network over TLS only, and this server has no certificate. Use --tls-self-signed, or --tls-cert and --tls-key.',

  host: 'Address to listen on',
  port: 'Port; 0 picks a free port',
  deviceLimit: 'Update checks and feed requests per minute and client address; 0 = unlimited',
  keyLimit: 'API requests per minute and key; 0 = unlimited',
  unreleasedLimit: 'Unreleased versions and platforms per app; more are counted as Other',
  newDeviceLimit: 'New devices per hour and client address without a key; 0 = unlimited',
  sessionLimit: 'App sessions per hour and client address; 0 = unlimited',
  labelBytes: 'Bytes of labels per device, keys and values in UTF-8',
  minFreeDisk: 'Free disk space below which requests without a key add no data; 0 = no minimum',
  maxConnections: 'Open connections, of which one client address can have a tenth',
  trustProxy:
    'Proxies whose X-Forwarded-For is trusted: addresses, ranges or loopback; comma-separated or repeated',
  console: 'Who gets the console in a browser: off, loopback or lan',
  consoleHost:
    'Name under which browsers reach the console, such as that of a proxy; comma-separated or repeated',
  consolePlainHttp:
    'Also offer the console to the network without TLS: others can read passwords and sessions',
  setupName: 'Name of the first account, with --setup-password-file',
  setupPasswordFile:
    'File with the password of the first account, which is created at the start while there is none',
  oidcIssuer: 'Identity provider for single sign-on (OpenID Connect)',
  oidcClientId:
    'Client ID at the identity provider; its redirect URI is the console address + sign-on',
  oidcClientSecretFile: 'File with the client secret',
  tlsCert: 'Certificate chain for HTTPS, in PEM format',
  tlsKey: 'Private key of the certificate, in PEM format',
  tlsSelfSigned:
    'HTTPS with a self-signed certificate, which is kept in the data folder and renewed',
  keepCheckIns: 'Days to keep check-ins; 0 = keep forever',
  keepDevices: 'Days since last seen after which a device is deleted; 0 = never',
  keepSeenOnce: 'The same for devices seen only once, without a key; 0 = use --keep-devices',
  smtpHost: 'Mail server for invitations, approvals and alarms',
  smtpPort: 'Port of the mail server',
  smtpTls: 'Encryption to the mail server: starttls, tls or none',
  smtpUser: 'User name at the mail server',
  smtpPasswordFile: 'File with the password',
  mailFrom: 'Sender address of mails',
  webhookPrivateHost:
    'Host to which webhooks may be sent although its address is private; comma-separated or repeated',
  push: 'Whether people can have push notifications in their browsers',
  pushHost:
    'Push service that notifications may be sent to, besides those of browsers, also at a private address; comma-separated or repeated',
  gateServer:
    'Prometheus or Sentry that gates of plans may ask, such as https://prometheus.example.com; comma-separated or repeated',
  gateTokensFile:
    'File with a line for each such server: its address and the value of Authorization',
  backupEvery: 'Hours between backups; 0 = no backups',
  backupKeep: 'Backups to keep; the oldest is deleted',
  backupFolder: 'Folder for backups (default: backups in the data folder)',
  artifacts:
    'Folder for built files that devices download from this server, or s3://BUCKET/PREFIX (default: no files)',
  s3Endpoint: 'Address of an S3-compatible server, as devices reach it, too (default: AWS)',
  s3Region: 'Region of the bucket (default: AWS_REGION, or us-east-1 with --s3-endpoint)',
  publicUrl:
    'Address of this server as devices and browsers reach it, for links in mails, to stored files, and to copy',
  artifactsQuota: 'Space for stored files; 0 = all of the disk but --min-free-disk',
  patchSpace: 'Space for patches between stored files, besides the quota; 0 = no patches',
  downloads: 'Downloads of stored files at the same time; 0 = unlimited',
  networkDownloads: 'The same for one network (IPv4 /24, IPv6 /48); 0 = unlimited',
  downloadRate: 'Bandwidth for downloads of stored files; 0 = unlimited',
  clientDownloadRate: 'The same for one client address; 0 = unlimited',
  metricsPort: 'Port for metrics in the format of Prometheus, without a key; 0 = no metrics',
  metricsHost: 'Address to listen on for metrics',
  stopWithParent: 'Stop when the parent process exits',
  logLevel: 'Minimum log level',
  accessLog:
    'Log a line for every request, with --log-file to a file of its own that ends in .access',
  logFile: 'Log to this file, rotated at 5 MiB with 5 files kept (default: stderr)',

  wrongHostName: (name: string) => `"${name}" is not a host name; leave out scheme and port.`,
  wrongPrivateHost: (name: string) => `"${name}" is not a host, with or without a port.`,
  wrongGateServer: (address: string) =>
    `"${address}" is not an address without path, such as https://prometheus.example.com:9090.`,
  wrongTokenLine: (option: string, file: string, line: number) =>
    `${option}: line ${line} of ${file} must be an address of --gate-server, once, and the value of Authorization, such as: https://prometheus.example.com Bearer abc`,
  emptyProxy: 'It must not contain an empty entry.',
  wrongProxy: (option: string, reason: string) =>
    `${option}: ${reason}; use addresses, ranges such as 10.0.0.0/8, or loopback`,
  everyAddress: (range: string) =>
    `${range} includes every address, so every client could fake its own`,
  tlsTwice: '--tls-self-signed cannot be used together with --tls-cert and --tls-key',
  oidcTogether:
    '--oidc-issuer, --oidc-client-id and --oidc-client-secret-file must be used together',
  smtpTogether: '--smtp-host and --mail-from must be used together',
  smtpLoginTogether: '--smtp-user and --smtp-password-file must be used together',
  artifactsTogether:
    '--artifacts needs --public-url, the address from which devices download, such as https://updates.studio.example',
  noBackups: (option: string) =>
    `${option} applies to SQLite only; back up PostgreSQL with its own tools, such as pg_dump, and set it to 0`,
  noNodes: (option: string) =>
    `${option} applies to PostgreSQL only; set --database, too, or leave it out`,
  s3WithoutBucket:
    '--s3-endpoint and --s3-region need --artifacts with a bucket, such as s3://studio/tidegate',
  tlsPair: '--tls-cert and --tls-key must be used together',
  tlsUnusable: (cert: string, key: string, reason: string) =>
    `${cert} and ${key} cannot be used for TLS (${reason}); use a certificate and its private key, both in PEM format`,
  unreadable: (option: string, file: string, reason: string) =>
    `${option}: ${file} cannot be read (${reason}); check the path and its permissions`,
  unwritable: (option: string, file: string, reason: string) =>
    `${option}: ${file} cannot be written (${reason}); check the path and its permissions`,
  portInUse: (host: string, port: number) =>
    `port ${port} on ${host} is already in use; stop the other program or choose another port with --port (0 picks a free port)`,
  metricsPortInUse: (host: string, port: number) =>
    `port ${port} on ${host} is already in use; stop the other program or choose another port for metrics with --metrics-port`,
  portForbidden: (host: string, port: number) =>
    `permission denied to listen on port ${port} on ${host}; choose a port above 1023 with --port`,
  unknownAddress: (host: string) =>
    `${host} is not an address of this computer; choose one with --host (0.0.0.0 for all network interfaces)`,
} as const
