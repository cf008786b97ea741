import { LIVE_HOURS } from '../../src/demo/live-hours.ts'
import { formatDuration, formatPercent } from '../../src/shared/wording/format.ts'

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** Texts of `npm run demo` and `npm start`. */
export const text = {
  description: 'Demo of Tidegate: a studio with three apps, and devices that update themselves',
  help: 'Show help',
  seed: 'Seed; the same seed creates the same data',
  devices: 'Number of devices',
  days: 'Days of history',
  port: 'Port of the server; 0 picks a free port',
  minutes: 'Minutes to simulate the last 8 hours in; 0 for as fast as possible',
  noWait: 'Start these hours without waiting for a sign-in',
  desktop: 'Open the desktop app after these hours',
  keep: 'Keep the data folder when the demo stops',
  wholeNumber: (least: number, most: number) =>
    `It must be a whole number from ${least} to ${most}.`,

  creating: (days: number, devices: string) => `Creating ${days} days of history for ${devices}`,
  progress: (what: string, percent: number) => `${what}: ${formatPercent(percent)}`,
  created: (checkIns: string, seconds: number) =>
    `${checkIns} in ${formatDuration(seconds, 'second')}`,
  livingBefore: `Simulating the last ${formatDuration(LIVE_HOURS, 'hour')}…`,
  console: (address: string) => `Open the console: ${address}`,
  account: (name: string, password: string) => `Sign in as ${name} with the password ${password}`,
  waiting: (minutes: number) =>
    `Sign in to watch the last ${formatDuration(LIVE_HOURS, 'hour')} in ${formatDuration(minutes, 'minute')}. Press Ctrl-C to stop.`,
  passing: (minutes: number) =>
    `Simulating the last ${formatDuration(LIVE_HOURS, 'hour')} in ${formatDuration(minutes, 'minute')}:`,
  event: (at: number, place: string, what: string) => `  ${TIME.format(at)}  ${place}: ${what}`,
  step: (step: number, steps: number, rolloutPct: number | null) =>
    `step ${step} of ${steps} applied${rolloutPct === null ? '' : `, rollout ${formatPercent(rolloutPct)}`}`,
  finished: 'plan finished',
  suspended: 'plan suspended',
  stopped: (reasons: string) => `plan stopped. ${reasons}`,
  present: 'The last hours are over. Devices keep checking in.',
  needsDesktop: (reason: string) => `The desktop app cannot be opened: ${reason}`,
  headless: (reason: string) => `Running the server without the console: ${reason}.`,
  noBinary: 'the Electron binary is not installed (npx install-electron)',
  noDisplay: 'there is no display (DISPLAY, WAYLAND_DISPLAY)',
  reasons: (reasons: readonly string[]) => reasons.join(' and '),
  noConsole: (reason: string) => `The console could not be started: ${reason}`,
  listening: (address: string) => `Tidegate is listening on ${address}`,
  checkInFailed: (reason: string) => `A check-in failed: ${reason}`,
  checkInsWork: 'Check-ins succeed again.',
  tally: (checkIns: string, updates: string, failures: string) =>
    `Since the start: ${checkIns}, ${updates}, ${failures}`,
  kept: (folder: string) => `The data folder is ${folder}.`,
  interrupted: 'the demo was stopped',
  portInUse: (port: number) =>
    `Port ${port} is already in use. Choose another port with --port (0 picks a free port).`,

  check: 'Check for an update, as one of the devices does:',
  feed: 'Read the public release feed:',
  rollout:
    'The rollout of Lantern 2.1.0 is 25%. Raise it to 50%, and devices start to update within a minute:',
  keys: 'API keys (valid in this demo only):',
  database: (file: string) => `Database: ${file}`,
  stop: 'Press Ctrl-C to stop.',
} as const
