import { z } from 'zod'
import { Arch, BundleKind, DeviceId, Version } from '../../../shared/names.ts'
import { BUILD_NUMBER } from '../../../shared/releases/version.ts'
import { LIMITED, operations, textAnswer, UNAVAILABLE } from './openapi-operation.ts'
import { ABOUT_DEVICE, ABOUT_DEVICE_IN_QUERY, optional } from './openapi-parameters.ts'

const COMMON = {
  ...LIMITED,
  400: 'Invalid path, query or device ID',
  404: 'Unknown app, channel or feed',
  503: UNAVAILABLE,
} as const

const VERSION = 'Version that the device runs. Without it, it counts as unknown'
const ABOUT_CLIENT = z.object({
  version: Version.optional().meta({ description: VERSION }),
  arch: Arch.optional().meta({
    description: 'Architecture of the device. With it, only files for it and for any are listed',
  }),
})

const ABOUT_ELECTRON = ABOUT_CLIENT.extend({
  bundle: BundleKind.optional().meta({
    description:
      'On Linux, the kind of package that the app was installed from: `appimage`, `deb`, `rpm` or `pacman`. With it, only files of this kind are listed. Others are ignored',
    examples: ['deb'],
  }),
})

const ABOUT_SPARKLE = ABOUT_CLIENT.extend({
  version: Version.or(z.string().regex(BUILD_NUMBER))
    .optional()
    .meta({
      description: `${VERSION}. Its \`CFBundleVersion\`: a version, or a build number that is the build metadata of one`,
      examples: ['1.4.0', '260'],
    }),
})

const SquirrelUpdate = z
  .strictObject({ url: z.url(), name: z.string(), notes: z.string(), pub_date: z.string() })
  .meta({ id: 'SquirrelUpdate' })

/** With whatever else the publisher's list has. */
const VelopackAssets = z
  .looseObject({
    Assets: z.array(
      z.looseObject({
        PackageId: z.string().optional(),
        Version,
        Type: z.enum(['Full', 'Delta']),
        FileName: z.string(),
        SHA1: z.string(),
        SHA256: z.string().nullish(),
        Size: z.int(),
        NotesMarkdown: z.string().nullish(),
        NotesHTML: z.string().nullish(),
      }),
    ),
  })
  .meta({ id: 'VelopackAssets' })

/** Update checks of clients that read a feed in a format of their own. */
export const UPDATE_FEED_OPERATIONS = operations('Devices', null, COMMON, {
  electronFeed: {
    on: 'get /electron/{appRef}/{channel}/{name}',
    summary: 'Feed for electron-updater',
    description:
      'The update check of the generic provider of electron-updater. Never 204 or 304: a device that is offered nothing gets the release that it runs, else the latest at 100%. Other query parameters are ignored.',
    query: ABOUT_ELECTRON,
    parameters: [
      ...ABOUT_DEVICE,
      optional(
        'header',
        'x-user-staging-id',
        DeviceId,
        'ID that electron-updater creates once and keeps: the ID of the device, unless `X-Service-Device` is sent',
      ),
    ],
    answers: {
      200: textAnswer(
        'application/yaml',
        'The release to install, in the format of `latest.yml`; the manifest itself, with an `ETag`, if its publisher signed it',
      ),
      302: [null, 'The address of a file that a signed manifest names', { Location: 'Its file' }],
      400: 'Invalid path, query or device ID; or a query, and addresses of files have one too',
      404: 'Unknown app, channel or name, or no release for the device',
    },
  },
  squirrelUpdate: {
    on: 'get /squirrel/{appRef}/{channel}/{platform}/{arch}/{version}',
    summary: 'Update for Squirrel.Mac',
    description: "The update check of Electron's own autoUpdater on macOS.",
    parameters: ABOUT_DEVICE_IN_QUERY,
    answers: {
      200: [SquirrelUpdate, 'The zip to install'],
      204: [null, 'No update'],
    },
  },
  squirrelReleases: {
    on: 'get /squirrel/{appRef}/{channel}/{platform}/{arch}/{version}/RELEASES',
    summary: 'Feed for Squirrel.Windows',
    description:
      "The update check of Electron's own autoUpdater on Windows: the package to install, and those that lead to it; the publisher's own list, if it leads to the same. A device that is offered nothing gets that of the release that it runs, else of the latest at 100%. The name of a package beside the list redirects to its file.",
    parameters: ABOUT_DEVICE_IN_QUERY,
    answers: {
      200: textAnswer('text/plain', 'SHA-1, address and size of each package'),
      404: 'Unknown app, channel or platform, or no release for the device',
    },
  },
  sparkleAppcast: {
    on: 'get /sparkle/{appRef}/{channel}/appcast.xml',
    summary: 'Appcast for Sparkle',
    description: 'The update check of Sparkle: an appcast with one item, or without items.',
    query: ABOUT_SPARKLE,
    parameters: ABOUT_DEVICE_IN_QUERY,
    answers: { 200: textAnswer('application/rss+xml', 'The release to install') },
  },
  velopackFeed: {
    on: 'get /velopack/{appRef}/{channel}/{platform}/{arch}/{file}',
    summary: 'Feed for Velopack, and its packages',
    description:
      "The update check of Velopack: a feed with the package to install and those that lead to it, or without packages; the publisher's own list, if it leads to the same. The name of a package in the feed redirects to its file.",
    parameters: [
      optional('query', 'localVersion', Version, VERSION),
      optional(
        'query',
        'stagingId',
        DeviceId,
        'ID of the device, unless `X-Service-Device` or `device` is sent',
      ),
      ...ABOUT_DEVICE_IN_QUERY,
    ],
    answers: {
      200: [VelopackAssets, 'The packages'],
      302: [null, 'The address of a package', { Location: 'Its file' }],
    },
  },
})
