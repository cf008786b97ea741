import { createClient } from './sdk/client/index.js'
import * as api from './sdk/index.js'

// Calls every operation with the client of @hey-api/openapi-ts, and prints what came as JSON by operation.

const { ADDRESS = '', KEY = '' } = process.env
const client = createClient({ baseUrl: ADDRESS, auth: KEY })
const place = { app: 'editor', channel: 'stable', version: '1.1.0+7' }
const feed = { appRef: 'editor', channel: 'stable' }
const device = { deviceId: 'device-1', version: '1.0.0', platform: 'linux', arch: 'x86_64' }

const publishRelease = await api.publishRelease({
  client,
  body: {
    ...place,
    targets: {
      matchLabels: { ring: ['beta'] },
      matchExpressions: [
        { key: 'managed', operator: 'DoesNotExist' },
        { key: 'device.version', operator: 'VersionIn', values: ['>=1.0.0'] },
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
  },
})
const checkForUpdate = await api.checkForUpdate({
  client,
  path: { ...feed, platform: 'linux', arch: 'x86_64', version: '1.0.0' },
  query: { labels: { 'l.ring': 'beta', 'l.site/eu': 'a b&c' } },
  headers: { 'X-Service-Device': 'device-1' },
})
const showRelease = await api.showRelease({ client, path: place })
const changeServing = await api.changeServing({ client, body: { ...place, status: 'paused' } })
const planWave = await api.planWave({ client, body: { app: 'editor', devices: [device] } })
const reportState = await api.reportState({
  client,
  body: { app: 'editor', devices: [{ deviceId: 'device-2', version: '1.0.0' }] },
})
const listReleases = await api.listReleases({ client, query: { app: 'editor', per_page: 5 } })
const first = await api.releaseFeed({ client, path: feed })
const releaseFeed = await api.releaseFeed({
  client,
  path: feed,
  query: { limit: 100 },
  headers: { 'If-None-Match': first.response?.headers.get('ETag') ?? '' },
})
const openApi = await api.openApi({ client })
const health = await api.health({ client })
const unknown = await api.releaseFeed({ client, path: { ...feed, channel: 'beta' } })

// Typed as described: an error has a message, and what an answer always has is there.
const message: string | undefined = unknown.error?.error
const version: string | undefined = checkForUpdate.data?.version
const size: number | undefined = showRelease.data?.release.artifacts[0]?.size
const answers = {
  ...{ publishRelease, checkForUpdate, showRelease, changeServing, planWave, reportState },
  ...{ listReleases, releaseFeed, openApi, health },
}
const shown = Object.entries(answers).map(([id, { response, data }]) => [
  id,
  { status: response?.status, data },
])
process.stdout.write(JSON.stringify({ answers: Object.fromEntries(shown), message, version, size }))
