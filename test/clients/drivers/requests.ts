// What both clients send: literals, as someone would write them by hand.

export const place = { app: 'editor', channel: 'stable', version: '1.1.0+7' }
export const feed = { appRef: 'editor', channel: 'stable' }
export const checked = { ...feed, platform: 'linux', arch: 'x86_64', version: '1.0.0' }
export const file = { sha512: 'ab'.repeat(64) }
export const upload = { id: 'ab'.repeat(16) }
export const electron = { ...feed, name: 'latest-linux.yml' }
export const squirrel = { ...feed, platform: 'darwin', arch: 'arm64', version: '1.0.0' }
export const velopack = { ...feed, platform: 'linux', arch: 'x64', file: 'releases.linux.json' }
export const labels = { 'l.ring': 'beta', 'l.site/eu': 'a b&c' }
export const deviceHeader = { 'X-Service-Device': 'device-1' }

/** With nothing that may be left out, but for targets. */
export const release = {
  ...place,
  targets: {
    matchLabels: { ring: ['beta'] },
    matchExpressions: [
      { key: 'managed', operator: 'DoesNotExist' as const },
      { key: 'device.version', operator: 'VersionIn' as const, values: ['>=1.0.0'] },
    ],
  },
  artifacts: [
    {
      platform: 'linux',
      arch: 'x64',
      url: 'https://downloads.example/editor',
      sha512: 'ab'.repeat(64),
    },
  ],
}
export const draftPlace = { app: 'editor', channel: 'stable', version: '1.2.0' }
export const draft = { ...draftPlace, notes: 'New', artifacts: release.artifacts }
export const publication = {
  ...draftPlace,
  rolloutPct: 0,
  expect: [{ platform: 'linux', arch: 'x86_64' }],
}
export const plan = {
  ...draftPlace,
  plan: {
    steps: [
      { rolloutPct: 10, soakHours: 24, gate: { maxFailedPct: 2 } },
      { rolloutPct: 100, soakHours: 24 },
    ],
    timeZone: 'Europe/Berlin',
  },
}
export const channel = { app: 'editor', channel: 'stable' }
export const channelChange = {
  ...channel,
  earlyAccess: { deviceIds: ['device-1'], targets: [{ matchLabels: { ring: 'beta' } }] },
}
export const wave = {
  app: 'editor',
  devices: [{ deviceId: 'device-1', version: '1.0.0', platform: 'linux', arch: 'x86_64' }],
}
export const report = { app: 'editor', devices: [{ deviceId: 'device-2', version: '1.0.0' }] }
export const outcome = { version: '1.1.0+7', outcome: 'failed' as const, detail: 'No space left' }
