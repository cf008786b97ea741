import { z } from 'zod'
import { Arch, DeviceId, Platform, Version } from '../../../shared/names.ts'
import {
  answer,
  COMMON,
  error,
  type Operation,
  type Parameter,
  parametersOf,
  textAnswer,
  UNAVAILABLE,
} from './openapi-operation.ts'
import { DEVICE_PARAMETER, LABELS_PARAMETER, MANUAL_PARAMETER, PLACE } from './openapi-public.ts'

const ANSWERS = {
  ...COMMON,
  400: error('Invalid path, query or device ID'),
  404: error('Unknown app, channel or feed'),
  503: UNAVAILABLE,
} as const

const ABOUT_CLIENT = z.object({
  version: Version.optional().meta({
    description: 'Version that the device runs. Without it, it counts as unknown',
  }),
  arch: Arch.optional().meta({
    description: 'Architecture of the device. With it, only files for it and for any are listed',
  }),
})

const TARGET = PLACE.extend({ platform: Platform, arch: Arch })
const SQUIRREL_PATH = TARGET.extend({ version: Version })
const VELOPACK_PATH = TARGET.extend({
  file: z.string().meta({
    description: '`releases.<name>.json`, or the name of a package in it',
    examples: ['releases.win.json'],
  }),
})

/** For clients that cannot send headers. */
const DEVICE: readonly Parameter[] = [
  DEVICE_PARAMETER,
  {
    ...{ name: 'device', in: 'query', schema: DeviceId.optional() },
    description: 'ID of the device, unless `X-Service-Device` is sent',
  },
]

const SquirrelUpdate = z
  .strictObject({ url: z.url(), name: z.string(), notes: z.string(), pub_date: z.string() })
  .meta({ id: 'SquirrelUpdate' })

const VelopackAssets = z
  .strictObject({
    Assets: z.array(
      z.strictObject({
        PackageId: z.string(),
        Version,
        Type: z.literal('Full'),
        FileName: z.string(),
        SHA1: z.string(),
        SHA256: z.literal(''),
        Size: z.int(),
        NotesMarkdown: z.string(),
        NotesHTML: z.literal(''),
      }),
    ),
  })
  .meta({ id: 'VelopackAssets' })

/** Update checks of clients that read a feed in a format of their own. */
export const UPDATE_FEED_OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'get', path: '/electron/{appRef}/{channel}/{name}', id: 'electronFeed' },
    ...{ scope: null, tag: 'Devices' },
    summary: 'Feed for electron-updater',
    description:
      'The update check of the generic provider of electron-updater. Never 204 or 304: a device that is offered nothing gets the release that it runs, else the latest at 100%. Other query parameters are ignored.',
    parameters: [
      ...parametersOf(
        PLACE.extend({
          name: z.string().meta({
            description:
              '`latest.yml`, `latest-mac.yml`, `latest-linux.yml` or `latest-linux-<arch>.yml`, or the same with the name of the channel in place of `latest`',
            examples: ['latest-mac.yml'],
          }),
        }),
        'path',
      ),
      ...parametersOf(ABOUT_CLIENT, 'query'),
      LABELS_PARAMETER,
      MANUAL_PARAMETER,
      DEVICE_PARAMETER,
      {
        ...{ name: 'x-user-staging-id', in: 'header', schema: DeviceId.optional() },
        description:
          'ID that electron-updater creates once and keeps: the ID of the device, unless `X-Service-Device` is sent',
      },
    ],
    answers: {
      200: textAnswer('application/yaml', 'The release to install, in the format of `latest.yml`'),
      ...ANSWERS,
      400: error(
        'Invalid path, query or device ID; or a query, and addresses of files have one too',
      ),
      404: error('Unknown app, channel or name, or no release for the device'),
    },
  },
  {
    ...{ method: 'get', path: '/squirrel/{appRef}/{channel}/{platform}/{arch}/{version}' },
    ...{ id: 'squirrelUpdate', scope: null, tag: 'Devices' },
    summary: 'Update for Squirrel.Mac',
    description: "The update check of Electron's own autoUpdater on macOS.",
    parameters: [
      ...parametersOf(SQUIRREL_PATH, 'path'),
      LABELS_PARAMETER,
      MANUAL_PARAMETER,
      ...DEVICE,
    ],
    answers: {
      200: answer(SquirrelUpdate, 'The zip to install'),
      204: { description: 'No update', schema: null },
      ...ANSWERS,
    },
  },
  {
    ...{ method: 'get', path: '/squirrel/{appRef}/{channel}/{platform}/{arch}/{version}/RELEASES' },
    ...{ id: 'squirrelReleases', scope: null, tag: 'Devices' },
    summary: 'Feed for Squirrel.Windows',
    description:
      "The update check of Electron's own autoUpdater on Windows: one package. A device that is offered nothing gets that of the release that it runs, else of the latest at 100%.",
    parameters: [
      ...parametersOf(SQUIRREL_PATH, 'path'),
      LABELS_PARAMETER,
      MANUAL_PARAMETER,
      ...DEVICE,
    ],
    answers: {
      200: textAnswer('text/plain', 'SHA-1, address and size of the package'),
      ...ANSWERS,
      404: error('Unknown app, channel or platform, or no release for the device'),
    },
  },
  {
    ...{ method: 'get', path: '/sparkle/{appRef}/{channel}/appcast.xml', id: 'sparkleAppcast' },
    ...{ scope: null, tag: 'Devices' },
    summary: 'Appcast for Sparkle',
    description: 'The update check of Sparkle: an appcast with one item, or without items.',
    parameters: [
      ...parametersOf(PLACE, 'path'),
      ...parametersOf(ABOUT_CLIENT, 'query'),
      LABELS_PARAMETER,
      MANUAL_PARAMETER,
      ...DEVICE,
    ],
    answers: { 200: textAnswer('application/rss+xml', 'The release to install'), ...ANSWERS },
  },
  {
    ...{ method: 'get', path: '/velopack/{appRef}/{channel}/{platform}/{arch}/{file}' },
    ...{ id: 'velopackFeed', scope: null, tag: 'Devices' },
    summary: 'Feed for Velopack, and its packages',
    description:
      'The update check of Velopack: a feed with one package, or without packages. The name of a package in the feed redirects to its file.',
    parameters: [
      ...parametersOf(VELOPACK_PATH, 'path'),
      {
        ...{ name: 'localVersion', in: 'query', schema: Version.optional() },
        description: 'Version that the device runs. Without it, it counts as unknown',
      },
      {
        ...{ name: 'stagingId', in: 'query', schema: DeviceId.optional() },
        description: 'ID of the device, unless `X-Service-Device` or `device` is sent',
      },
      LABELS_PARAMETER,
      MANUAL_PARAMETER,
      ...DEVICE,
    ],
    answers: {
      200: answer(VelopackAssets, 'The package to install'),
      302: {
        description: 'The address of a package',
        schema: null,
        headers: { Location: 'Its file' },
      },
      ...ANSWERS,
    },
  },
]
