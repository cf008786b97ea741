import { formatDuration, formatPercent } from '../../src/shared/wording/format.ts'

/** Texts of `npm run demo` and `npm start`. */
export const text = {
  description: 'Demo of Tidegate: a studio with three apps, and devices that update themselves',
  help: 'Show help',
  seed: 'Seed; the same seed creates the same data',
  devices: 'Number of devices',
  days: 'Days of history',
  port: 'Port of the server; 0 picks a free port',
  keep: 'Keep the data folder when the demo stops',
  wholeNumber: (least: number, most: number) =>
    `It must be a whole number from ${least} to ${most}.`,

  creating: (days: number, devices: string) => `Creating ${days} days of history for ${devices}`,
  progress: (what: string, percent: number) => `${what}: ${formatPercent(percent)}`,
  created: (checkIns: string, seconds: number) =>
    `${checkIns} in ${formatDuration(seconds, 'second')}`,
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
  stopped: 'the demo was stopped',
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
