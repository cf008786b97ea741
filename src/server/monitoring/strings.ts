/** Descriptions of the metrics, and what their port answers. */
export const text = {
  onlyMetrics: 'Metrics are at /metrics.\n',
  unknownHost:
    'This is not a name of the server. Use its address or host name, or add the name with --console-host.\n',
  failed: 'The metrics could not be read. The log has the reason.\n',

  build: 'Version of Tidegate and Node',
  checks: 'Update checks by outcome. The app is empty if it was unknown when the check arrived',
  checkDuration: 'Time to answer an update check, without the network',
  queued: 'Check-ins waiting to be written',
  lost: 'Check-ins lost since the database was created, with PostgreSQL by this node since it started',
  telemetryFailing: '1 while check-ins cannot be written',
  budgetRejections:
    'How often a limit for callers without a key was reached, without a gap of an hour; 0 if it was not',
  devices: 'Devices by how long ago they were last seen',
  ready: '1 while the server answers update checks with a current catalog',
  revision: 'Revision of the catalog in memory',
  databaseSize: 'Size of the database and of its write-ahead log',
  freeDisk: 'Free space on the disk of the database',
  minFreeDisk: 'Free space below which checks without a key add no data; 0 for no minimum',
  backupInterval: 'Time between scheduled backups; 0 for none',
  lastBackup: 'Time of the last backup',
  backupFailing: '1 while the last backup failed',
  certificateExpiry: 'When the certificate expires',
  certificateReloadFailing: '1 while the changed certificate files cannot be used',
  bucketFailing: '1 while the bucket for stored files cannot be used',
  downloads: 'Downloads that were sent to their end, by what was sent',
  downloadBytes: 'Bytes of downloads that were sent, by what was sent',
  savedBytes:
    'Bytes that answers with several parts and patches left out of their files, because devices had them from before',
  envelopeItems: 'Items of Sentry envelopes by name; of sessions, each counts',
  node: 'This node, 1; missing without PostgreSQL',
  nodeLease:
    'Time for which this node may serve without a renewal of its lease; 0 if it may not serve',
  nodeBehind: 'Changes that this node does not serve yet, by part',
  nodes: 'Nodes of the fleet by whether they may serve; the same on each node',
  nodesAge: 'Time since this node read the list of nodes',
  logLost: 'Log lines lost since the process started',
} as const
