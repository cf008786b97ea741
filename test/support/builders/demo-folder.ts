import { type DemoFolder, type DemoOptions, makeDemoFolder } from '../../../src/demo/folder.ts'

/** Takes a second or two; the complete story still happens. */
const SMALL = { seed: 1, devices: 200, days: 20, downloads: 'https://downloads.example' }

/**
 * Fills a data folder that has no database yet with the demo's apps, releases, keys, audit log and
 * devices, whose past ends now. No server runs on it afterwards.
 */
export function makeSmallDemo(
  dataFolder: string,
  options: Partial<DemoOptions> = {},
): Promise<DemoFolder> {
  return makeDemoFolder({ ...SMALL, ...options, dataFolder })
}
