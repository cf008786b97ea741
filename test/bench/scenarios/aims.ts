/** The targets of the server. Tables show the share that was reached. */
export const AIMS = {
  /** Update checks on one core, as a share of bare node:http. */
  checkRatio: 0.65,
  /** Downloads of a stored file, as a share of what nginx sends. */
  downloadRatio: 0.8,
  /** Feeds of electron-updater on one core, as a share of bare node:http. */
  feedRatio: 0.5,
  /** Devices a second in reports, acknowledged after commit, a million devices known. */
  reportedPerSecond: 200_000,
  /** Devices a second in dry-run decisions. */
  dryRunPerSecond: 600_000,
  /** Megabytes resident with a million devices. */
  residentMegabytes: 550,
  /** Milliseconds of a fleet summary inside the process. */
  summaryMs: 5,
  /** Milliseconds of a page of the console's device list. */
  deviceListMs: 100,
  /** Milliseconds of any other query of a screen of the console. */
  consoleMs: 100,
  /** Milliseconds of a preflight of every channel, a million devices known, beside the time for reading files. */
  preflightMs: 60_000,
  /** Check-ins a second that two nodes commit to PostgreSQL, with a million devices on two cores. */
  nodesStoredPerSecond: 80_000,
  /** Microseconds of processor time of PostgreSQL for each of them. */
  postgresPerRow: 12,
  /** Milliseconds of a batch, p99, while two nodes commit that many check-ins a second. */
  pacedBatchMs: 25,
  pacedPerSecond: 10_000,
  /** Devices a second whose labels two nodes read from PostgreSQL. */
  labelsPerSecond: 60_000,
  /** Milliseconds of charts, and of a page of the device list, on PostgreSQL. */
  nodesChartMs: 10,
  nodesDeviceListMs: 3,
  /** Milliseconds until another node offers a release. */
  otherNodeMs: 50,
} as const
