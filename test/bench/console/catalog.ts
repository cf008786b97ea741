import { MAX_ARTIFACTS } from '../../../src/shared/releases/release.ts'
import type { ReleaseConsole } from '../../e2e/support/console.ts'

/** A release of the first app that is as large as they get. */
export const LARGE = {
  app: refOf(0),
  version: '2.0.0',
  artifacts: MAX_ARTIFACTS,
  firstLine: 'The first line of the notes.',
  lastLine: 'The last line of the notes.',
}
const NOTES_CHARACTERS = 58 * 1024
/** Devices of each of the first apps. */
const DEVICES = 3
const APPS_WITH_DEVICES = 200
/** Check-ins per second of a fleet that is awake. */
const RATE = 10

/** Notes of 58 KB as a changelog has them: headings, lists, links, code and tables. */
export const LONG_NOTES = longNotes()

/** Creates apps with two channels and a release each, one large release, and devices. */
export async function fillCatalog(opened: ReleaseConsole, apps: number): Promise<void> {
  const release = { channel: 'stable', version: '1.0.0', artifacts: artifacts(1) }
  const large = { ...release, version: LARGE.version, artifacts: artifacts(LARGE.artifacts) }
  const calls = [
    ...Array.from({ length: apps }, (_, n) => refOf(n)).flatMap((app, n) => [
      ['apps.create', { ref: app, name: `Product ${number(n)}` }],
      ['channels.create', { app, name: 'beta' }],
      ['releases.publish', { app, ...release }],
    ]),
    ['releases.publish', { app: LARGE.app, ...large, notes: LONG_NOTES }],
  ]
  await opened.page.evaluate(`(async () => {
    for (const [path, input] of ${JSON.stringify(calls)}) {
      const answer = await window.tidegate.call({ type: 'mutation', path, input })
      if (!answer.ok) throw new Error(path + ': ' + JSON.stringify(answer))
    }
  })()`)
  for (let n = 0; n < Math.min(apps, APPS_WITH_DEVICES) * DEVICES; n += 1) {
    await checkIn(opened.address, n)
  }
}

/** Has known devices check in, ten each second, while `work` runs. */
export async function whileDevicesCheckIn<T>(address: string, work: () => Promise<T>): Promise<T> {
  let next = 0
  let failure: unknown
  const timer = setInterval(() => {
    checkIn(address, next++ % DEVICES).catch((error: unknown) => {
      failure ??= error
    })
  }, 1_000 / RATE)
  try {
    const result = await work()
    if (failure !== undefined) throw failure
    return result
  } finally {
    clearInterval(timer)
  }
}

async function checkIn(address: string, n: number): Promise<void> {
  const app = refOf(Math.floor(n / DEVICES))
  const headers = { 'X-Service-Device': `device-${number(n)}` }
  const answer = await fetch(`${address}/u/${app}/stable/linux/x86_64/1.0.0`, { headers })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`the check-in answered ${answer.status}`)
}

function artifacts(count: number): unknown[] {
  return Array.from({ length: count }, (_, n) => ({
    platform: 'linux',
    arch: n === 0 ? 'x86_64' : `arch${n}`,
    url: `https://downloads.example.com/product-${n}.AppImage`,
    sha512: 'ab'.repeat(64),
  }))
}

function longNotes(): string {
  const end = `\n${LARGE.lastLine}`
  let notes = `${LARGE.firstLine}\n`
  for (let n = 1; notes.length < NOTES_CHARACTERS - end.length; n += 1) notes += section(n)
  return notes.slice(0, notes.lastIndexOf('\n', NOTES_CHARACTERS - end.length)) + end
}

function section(n: number): string {
  const link = `[#${n}](https://example.com/issues/${n})`
  const items = Array.from({ length: 8 }, (_, item) => {
    return `- **Editor**: fixed a crash when \`file-${n}-${item}.txt\` is opened twice, see ${link}`
  })
  const table =
    n % 5 === 0 ? '\n| Part | Change |\n|---|---|\n| Core | Faster |\n| UI | Calmer |\n' : ''
  return `\n## Changes of part ${n}\n\nThis part is about *speed*, and about ${link}.\n\n${items.join('\n')}\n${table}`
}

function refOf(n: number): string {
  return `app-${number(n)}`
}

function number(n: number): string {
  return String(n).padStart(3, '0')
}
