import { z } from 'zod'
import { Version } from '../../names.ts'
import { PreviewTotals } from '../../releases/change-request.ts'

const Count = z.strictObject({
  name: z.string(),
  gaining: z.int(),
  losing: z.int(),
  movingDown: z.int(),
})

/** What devices download of a file of which they have a part. */
const PartialDownload = z.strictObject({
  /** Of the devices in `sized`, those whose file the server has stored. */
  devices: z.int(),
  /** Those of them on a version for which it is known how much it is, and the bytes for these in all. */
  known: z.int(),
  bytes: z.int(),
  /** Those of them for which the bytes are the most that it can be: of patches that will be made once the release is offered. */
  most: z.int(),
})

/** What a serving change would do to the devices that are known now. */
export const Preview = PreviewTotals.extend({
  /** Of the devices in `gaining`, the devices that are in the rollout only by early access. */
  earlyAccess: z.int(),
  /** Of the devices in `gaining`, those that are offered a file of a known size, and the bytes of their files in all. */
  sized: z.int(),
  bytes: z.int(),
  /** With electron-updater, which downloads only blocks that have changed, of .exe, .zip and .AppImage files. */
  blocks: PartialDownload,
  /** With the patches for `@tidegate/client`. */
  patches: PartialDownload,
  /** Whether manual checks are offered the release too, whatever their place in its rollout. */
  manualChecks: z.boolean(),
  /** Versions to which devices would be downgraded, most devices first. */
  downTo: z.array(z.strictObject({ version: Version, devices: z.int() })),
  byVersion: z.array(Count),
  byPlatform: z.array(Count),
  /** `key=value`, the twenty with the most devices concerned. */
  byLabel: z.array(Count),
})
export type Preview = z.infer<typeof Preview>

export const PreviewEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('progress'), done: z.int(), total: z.int() }),
  z.strictObject({ type: z.literal('result'), preview: Preview }),
])
export type PreviewEvent = z.infer<typeof PreviewEvent>
