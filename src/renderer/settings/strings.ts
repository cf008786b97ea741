export const text = {
  title: 'Settings',
  descriptionInBrowser: 'Settings of the server, backups and display',
  inUse: {
    title: 'Set when the server is started',
    console: 'Console in browsers',
    consoleModes: { off: 'Off', loopback: 'This computer only', lan: 'The network' },
  },
  description: 'Network, security, data retention, backups and file storage',

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
  orZero: (description: string, zero: string) => `${description} (0 = ${zero.toLowerCase()})`,
  limits: 'Requests per minute (0 = unlimited)',
  budgets: 'Data stored for requests without a key',
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
  scheduled: 'Back up on a schedule',
  scheduledHint:
    'Only while the server runs. An overdue backup starts one minute after the server.',
  folder: 'Backup folder',
  folderHint: 'Use a different disk so that a disk failure does not destroy the backups too.',

  // File storage
  fileStorage: 'File storage',
  storeFiles: 'Store files on this server',
  storeFilesHint:
    'Devices download releases from here. Turn it on if you have no web server or bucket.',
  publicUrl: 'Public URL',
  publicUrlHint:
    'Where devices reach this server. Releases keep this address, so choose one that lasts.',
  publicUrlExample: 'https://updates.example.com',
  filesFolder: 'Folder for files',
  filesFolderHint: 'Another folder starts empty: stored files are not moved.',

  // Fields
  choose: 'Choose…',
  chooseWhat: (label: string) => `Choose ${label.toLowerCase()}`,
  dialogFailed: 'The dialog could not be opened. Enter the path instead.',
  notWhole: 'must be a whole number, such as 90',

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
