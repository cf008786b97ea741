import type { SettingIssue } from '../../shared/console/setting-issue.ts'
import { formatSize } from '../../shared/wording/format.ts'
import { formatTime } from '../components/text/time.ts'

/** Everything that the settings screen says, except its backups. */
export const text = {
  title: 'Settings',
  descriptionInBrowser:
    'Backups and display. Network, security and data retention are set when the server is started.',
  description: 'Network, security, data retention and backups',

  // Saving
  unsaved: 'Unsaved changes',
  unsavedRunning: 'Unsaved changes. Saving restarts the server; open requests finish first.',
  discard: 'Discard changes',
  saveRunning: 'Save and restart server',
  saveStopped: 'Save and start server',
  saved: 'Saved. The server is restarting with the new settings.',
  nothingToSave: 'No changes to save.',
  notSaved: 'The settings were not saved',
  leaveTitle: 'Leave without saving?',
  leave:
    'Your changes to the settings will be lost. The server keeps running with its saved settings.',

  // New settings with which the server did not start
  notAppliedTitle: 'The new settings were not applied',
  notAppliedNames: (names: readonly string[]) => `Not applied: ${names.join(', ')}`,
  notAppliedNext:
    'The previous settings are back in use. Your changes are kept in Settings: fix and save them, or discard them.',
  openSettings: 'Open Settings',

  // Server
  server: 'Server',
  reach: 'Listen on',
  reachMachine: 'This computer only',
  reachMachineHint: 'Only programs on this computer can connect',
  reachNetwork: 'All network interfaces',
  reachNetworkHint: 'Other computers can connect (0.0.0.0)',
  reachOne: 'One address',
  reachOneHint: 'Other computers can connect through one address of this computer',
  address: 'Address',
  open: 'Anyone on the network can check for updates and read the release feed. All other requests require an API key.',
  openWithoutTls: 'Without TLS, API keys are sent unencrypted. Turn on HTTPS under Security.',
  port: 'Port',
  portHint: '0 = any free port',

  // Security
  security: 'Security',
  https: 'Serve over HTTPS (TLS)',
  httpsHint: 'Leave off if a reverse proxy terminates TLS',
  certificate: 'Certificate file',
  certificateHint: 'PEM, including the certificate chain',
  key: 'Private key file',
  keyHint: 'PEM, without a password',
  expires: 'expires',
  expired: 'expired',
  selfSigned: 'Self-signed',
  issuedBy: (issuer: string) => `Issued by ${issuer}`,
  limits: 'Requests per minute (0 = unlimited)',
  deviceLimit: 'Requests without a key',
  deviceLimitHint: 'Per IP address',
  keyLimit: 'Requests with a key',
  keyLimitHint: 'Per API key',
  rejectedKeyLimit: 'Requests with an invalid key',
  rejectedKeyLimitHint: 'Per IP address',
  budgets: 'Data stored for requests without a key',
  newDevices: 'New devices per hour',
  newDevicesHint: 'Per IP address (0 = unlimited)',
  combinations: 'Unreleased versions',
  combinationsHint: 'Unknown versions and platforms, per app',
  labelBytes: 'Labels per device',
  labelBytesHint: 'Size of all keys and values',
  minFreeDisk: 'Minimum free disk space',
  minFreeDiskHint: 'Store nothing new below this (0 = no limit)',
  connections: 'Open connections',
  connectionsHint: 'Maximum. One IP address can use a tenth of them.',
  proxies: 'Trusted proxies',
  proxiesHint:
    'One per line: IP addresses, ranges such as 10.0.0.0/8, or loopback. Their X-Forwarded-For header sets the client address.',
  noProxies: 'None',
  wide: (range: string) =>
    `${range} includes addresses on the internet. Clients there could fake their IP address and bypass the limits per address.`,
  wideTitle: 'Trust internet addresses as proxies?',
  wideAction: 'Save and trust them',

  // Data
  data: 'Data retention and backups',
  keepCheckIns: 'Keep check-ins',
  keepCheckInsHint: 'Days (0 = keep forever). Statistics are kept.',
  keepDevices: 'Keep devices',
  keepDevicesHint: 'Days since last seen (0 = keep forever)',
  keepSeenOnce: 'Keep devices seen once',
  keepSeenOnceHint: 'Days (0 = same as other devices)',
  scheduled: 'Back up on a schedule',
  scheduledHint:
    'Only while the server runs. An overdue backup starts one minute after the server.',
  every: 'Back up every',
  everyHint: 'Time between two backups',
  keepBackups: 'Backups to keep',
  keepBackupsHint: 'Older backups are deleted',
  folder: 'Backup folder',
  folderHint: 'Use a different disk so that a disk failure does not destroy the backups too.',

  // Fields
  choose: 'Choose…',
  chooseWhat: (label: string) => `Choose ${label.toLowerCase()}`,
  dialogFailed: 'The dialog could not be opened. Enter the path instead.',
  notWhole: 'must be a whole number, such as 90',
  hours: 'hours',
  bytes: 'bytes',
  mebibytes: 'MiB',

  // Desktop app
  app: 'Desktop app',
  display: 'Display',
  theme: 'Theme',
  themeSystem: 'System',
  themeLight: 'Light',
  themeDark: 'Dark',
  timeZone: 'Time zone',
  timeZoneLocal: 'Local',
  timeZoneUtc: 'UTC',
  startAtLogin: 'Start at login',
  startAtLoginHint: 'Starts the server when you log in, without opening the window',
  closeToTray: 'Keep running in the tray',
  closeToTrayHint:
    'Closing the window does not stop the server. On Linux, this requires a desktop with a tray.',
  checkForUpdates: 'Check for new versions of Tidegate',
  checkForUpdatesHint:
    'Once a day. Sends the installed version, operating system and architecture, but no identifier.',
  updateServer: 'Update server',
  updateServerHint: 'A Tidegate server that serves the app “tidegate”',
  updateServerIssue: 'Enter a URL that starts with http:// or https://',
  preferenceNotSaved: 'The setting was not saved',

  // About
  about: 'About',
  version: 'Tidegate',
  updates: 'Updates',
  updatesOff: 'Update checks are off',
  updatesUnchecked: 'Not checked for updates yet',
  updateAvailable: (version: string) => `Tidegate ${version} is available.`,
  updateSteps:
    'Back up your data, then install it over this version. Your data and settings are kept.',
  upToDate: 'Latest version',
  updateCheckFailed: 'Could not reach the update server',
  checked: 'Checked',
  electron: 'Electron',
  electronWith: (electron: string, chromium: string, node: string) =>
    `${electron}, with Chromium ${chromium} and Node.js ${node}`,
  system: 'System',
  dataFolder: 'Data folder',
  node: 'Node.js',
  dataFolderPath: 'the path of the data folder',
} as const

/** The labels of settings by their path, to name those that were not applied. */
export const SETTING_LABELS: Readonly<Record<string, string>> = {
  'address.host': text.reach,
  'address.port': text.port,
  'security.tls': text.https,
  'security.limits': text.limits,
  'security.budgets': text.budgets,
  'security.maxConnections': text.connections,
  'security.trustProxy': text.proxies,
  'data.keepCheckInDays': text.keepCheckIns,
  'data.keepDeviceDays': text.keepDevices,
  'data.keepSeenOnceDays': text.keepSeenOnce,
  'data.backups': text.scheduled,
}

/** Returns what is wrong with a setting, and what to do about it, to follow the name of its field. */
export function settingIssueText(issue: SettingIssue): string {
  switch (issue.code) {
    case 'not_absolute':
      return 'must be an absolute path. Choose it with the button next to the field.'
    case 'remote':
      return 'is not on a drive of this computer. Choose it with the button next to the field, or copy it to a drive.'
    case 'not_a_file':
      return 'is not a regular file. Choose a PEM file.'
    case 'too_large':
      return `is larger than ${formatSize(issue.maxBytes)}. Choose a PEM file.`
    case 'unreadable':
      return `cannot be read (${issue.detail}). Check the path and its permissions.`
    case 'not_a_certificate':
      return 'is not a PEM certificate. Choose a file that contains BEGIN CERTIFICATE.'
    case 'not_a_key':
      return 'is not a PEM private key. Choose a file that contains BEGIN PRIVATE KEY and has no password.'
    case 'other_key':
      return 'does not match the certificate. Choose the key that the certificate was issued for.'
    case 'weak_certificate':
      return 'cannot be used for TLS. Create a certificate with a stronger key.'
    case 'expired':
      return `expired on ${formatTime(issue.expiresAt, 'date')}. Choose a valid certificate.`
    case 'unusable_folder':
      return `cannot be used (${issue.detail}). Choose a folder that this account can write to.`
    case 'port_in_use':
      return `${issue.port} is already in use. Stop the other program, or choose another port.`
    case 'port_forbidden':
      return `${issue.port} requires permissions that this account does not have. Choose a port above 1023.`
    case 'unknown_address':
      return `${issue.host} is not an address of this computer. Enter one of its addresses, or choose “${text.reachNetwork}”.`
    case 'unusable_address':
      return `cannot be used (${issue.detail}). Enter another address of this computer.`
    default:
      return issue satisfies never
  }
}

/** Returns why the server refused its certificate at the start, to follow the name of the field. */
export function tlsFailureText(detail: string): string {
  return `cannot be used (${detail}). Choose a certificate and its private key, or turn off HTTPS.`
}
