import { createHash } from 'node:crypto'
import { ARCH, LABEL, PLATFORM } from './device.ts'

/** A channel of the measured app and the releases in it. Devices run 1.0.0 to 1.9.0. */
export interface ChannelPlan {
  readonly name: string
  readonly releases: readonly unknown[]
}

/** The app that all channels and devices of a run belong to. */
export const APP = 'bench'

const NOTES = `## What changed

- Opens projects of several gigabytes without holding up the window.
- Keeps the cursor where it was when a file changes on disk.
- Search understands \`"exact phrases"\` and skips ignored folders.

Thanks to everyone who sent a report. [All changes](https://studio.example/changes)
`

/** The names of a release's files for Tauri: for Linux, macOS and Windows. */
const TAURI_FILES = ['amd64.AppImage.tar.gz', 'universal.app.tar.gz', 'x64-setup.nsis.zip']

/** The name of the channel with `count` releases. */
export const nameOf = (count: number) => `of-${count}`

/** The newest release of the channel with `count` releases. */
export const newestOf = (count: number) => `2.0.${count - 1}`

/** A channel of `count` releases, all newer than what devices run. */
export function channelOf(count: number): ChannelPlan {
  const name = nameOf(count)
  return {
    name,
    releases: Array.from({ length: count }, (_, i) => releaseOf(name, newestOf(i + 1))),
  }
}

/** Two releases for all devices: the newer with a rollout of 50%. */
export const ROLLOUT: ChannelPlan = {
  name: 'rollout',
  releases: [releaseOf('rollout', '2.0.0'), { ...releaseOf('rollout', '2.1.0'), rolloutPct: 50 }],
}

/** Two releases: the newer for the quarter of the devices with the label. */
export const TARGETS: ChannelPlan = {
  name: 'targets',
  releases: [
    releaseOf('targets', '2.0.0'),
    {
      ...releaseOf('targets', '2.1.0'),
      targets: { matchLabels: { [LABEL.key]: LABEL.value } },
    },
  ],
}

/** One release, newer than the version of half of the devices. */
export const HALF: ChannelPlan = { name: 'half', releases: [releaseOf('half', '1.5.0')] }

/** One release that is not newer than any device's version. */
export const NONE: ChannelPlan = { name: 'none', releases: [releaseOf('none', '1.0.0')] }

/** Ten releases with the files that electron-updater installs. */
export const ELECTRON: ChannelPlan = {
  name: 'electron',
  releases: Array.from({ length: 10 }, (_, i) =>
    releaseOf('electron', newestOf(i + 1), ['x86_64.AppImage', 'universal-mac.zip', 'x64.exe']),
  ),
}

/** The channels of every seeded data folder. */
export const SEEDED = [channelOf(10), ROLLOUT, TARGETS, HALF, NONE, ELECTRON]

function releaseOf(channel: string, version: string, names = TAURI_FILES) {
  const sha512 = createHash('sha512').update(`${channel}/${version}`).digest()
  const file = `https://downloads.studio.example/editor/${channel}/${version}/editor`
  const artifact = (platform: string, arch: string, name: string) => ({
    platform,
    arch,
    url: `${file}_${version}_${name}`,
    sha512: sha512.toString('hex'),
    size: 84_213_760,
    signature: Buffer.concat(Array(5).fill(sha512)).subarray(0, 300).toString('base64'),
  })
  return {
    app: APP,
    channel,
    version,
    notes: NOTES,
    artifacts: [
      artifact(PLATFORM, ARCH, names[0] ?? ''),
      artifact('darwin', 'universal', names[1] ?? ''),
      artifact('windows', 'x86_64', names[2] ?? ''),
    ],
  }
}
