import { z } from 'zod'
import { OutcomeBody } from '../health/health.ts'
import {
  AppRef,
  AppRefOrId,
  Arch,
  BundleKind,
  ChannelName,
  DeviceId,
  Labels,
  Platform,
  Version,
} from '../names.ts'
import { DEFAULT_CHANNEL } from '../releases/channel.ts'
import { DecisionReason, UpdateManifest } from '../releases/manifest.ts'

/** Most devices in one fleet call. */
export const MAX_FLEET_DEVICES = 500

const fleetOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .min(1, `must hold 1 to ${MAX_FLEET_DEVICES} devices`)
    .max(MAX_FLEET_DEVICES, `must hold 1 to ${MAX_FLEET_DEVICES} devices`)

/** A device in a decision call. Members that are not named here are ignored. */
export const DecisionItem = z
  .object({
    deviceId: DeviceId,
    version: Version,
    platform: Platform,
    arch: Arch,
    bundle: BundleKind.optional(),
    os: z
      .string()
      .optional()
      .catch(undefined)
      .meta({
        description: 'Version of the operating system, in place of the label `os`',
        examples: ['10.0.22631'],
      }),
    labels: Labels.optional(),
  })
  .meta({ id: 'DecisionItem' })
export type DecisionItem = z.infer<typeof DecisionItem>

/** A device in a report. Members that are not named here are ignored. */
export const ReportItem = DecisionItem.omit({ bundle: true, os: true })
  .partial({ platform: true, arch: true })
  .extend({
    outcome: OutcomeBody.optional().meta({
      description: 'What became of an update that the device was offered',
    }),
  })
  .meta({ id: 'ReportItem' })
export type ReportItem = z.infer<typeof ReportItem>

export const DecisionsBody = z
  .strictObject({
    app: AppRefOrId,
    channel: ChannelName.default(DEFAULT_CHANNEL),
    dryRun: z.boolean().default(false),
    devices: fleetOf(DecisionItem),
  })
  .meta({ id: 'DecisionsBody' })

export const ReportBody = z
  .strictObject({ app: AppRefOrId, devices: fleetOf(ReportItem) })
  .meta({ id: 'ReportBody' })

export const DecisionsAnswer = z
  .strictObject({
    app: AppRef,
    channel: ChannelName,
    decisions: z.array(
      z.strictObject({
        deviceId: DeviceId,
        update: UpdateManifest.nullable(),
        reason: DecisionReason,
      }),
    ),
    updatesOffered: z.int(),
  })
  .meta({ id: 'DecisionsAnswer' })

export const ReportAnswer = z
  .strictObject({ app: AppRef, received: z.int() })
  .meta({ id: 'ReportAnswer' })
