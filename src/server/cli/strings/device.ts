import { formatCounted, formatPercent } from '../../../shared/wording/format.ts'

export const text = {
  device: {
    description: 'Show, explain or forget a device',
    show: 'Show what is known about a device',
    explain: 'Explain the update decision for a device on a channel',
    client: (clients: readonly string[]) =>
      `Decide as for this client: ${clients.join(', ')} (default: update_check)`,
    assumedVersion: 'Assume that the device runs this version; for sparkle, also a build number',
    assumedPlatform: 'Assume this platform',
    assumedArch: 'Assume this architecture',
    assumedBundle: 'Assume that the device names this kind of bundle, such as deb',
    assumedSystem: 'Assume this version of the operating system, in place of the label os',
    assumedLabel: 'Assume this label; an empty value removes it; repeatable',
    assumedManual: 'Assume that a person asked for the check',
    labelForm: 'It must have the form key=value.',
    forget: 'Delete a device permanently, with its labels and history',
    forgotten: (deviceId: string, app: string) => `Forgot device ${deviceId} of ${app}.`,
    notForgottenYet:
      'the running server has not deleted the device yet and will do so when it can write to its database; check its log',
  },

  shown: (device: {
    readonly deviceId: string
    readonly app: string
    readonly channel: string
    readonly version: string
    readonly platform: string
    readonly labels: string
    readonly firstSeen: string
    readonly lastSeen: string
  }) => [
    `Device      ${device.deviceId} of ${device.app}`,
    `Channel     ${device.channel}`,
    `Version     ${device.version}`,
    `Platform    ${device.platform}`,
    `Labels      ${device.labels}`,
    `First seen  ${device.firstSeen}`,
    `Last seen   ${device.lastSeen}`,
  ],

  explain: {
    device: (deviceId: string, known: boolean) =>
      `${known ? 'Device' : 'Unknown device'} ${deviceId}`,
    subject: (device: string, version: string, system: string, labels: string, channel: string) =>
      `${device}: ${version} on ${system}, ${labels}; channel ${channel}.`,
    headings: ['CANDIDATE', 'OUTCOME', 'REASON'],
    unknownDevice: 'is unknown',
    unknownVersion: 'has an unknown version, because it is counted as Other',
    unknownSystem: 'has no known platform and architecture',
    incomplete: (deviceId: string, problem: string) =>
      `device "${deviceId}" ${problem}; specify --version, --platform and --arch`,
  },

  fleet: {
    description: 'Show statistics about the devices of an app',
    summary: 'Count the devices of an app by channel and version',
    devices: (app: string, devices: number, today: number, days7: number, days30: number) =>
      `${app}: ${formatCounted(devices, 'device')}, seen today: ${today}, in 7 days: ${days7}, in 30 days: ${days30} (UTC days)`,
    last24Hours: (checkIns: number, anonymous: number, offers: number) =>
      `Last 24 hours: ${formatCounted(checkIns, 'check-in')} (${anonymous} anonymous), ${formatCounted(offers, 'offer')}`,
    channelHeadings: [
      'CHANNEL',
      'DEVICES',
      'TODAY',
      '7 DAYS',
      '30 DAYS',
      'CHECK-INS 24 H',
      'ANONYMOUS',
      'OFFERS',
    ],
    noChannels: 'This app has no channels.',
    versionHeadings: ['CHANNEL', 'VERSION', 'DEVICES', 'SHARE', 'TODAY', '7 DAYS', '30 DAYS'],
    share: (share: number) => formatPercent(share * 100, 1),
    noDevices: 'No devices have checked in yet.',
  },
} as const
