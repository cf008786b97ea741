import { z } from 'zod'
import { AppRef, AppRefOrId, ChannelName, Version } from '../names.ts'
import { FeedRelease, Release } from './release.ts'

/** Query of the list; there are no other parameters. */
export const ReleaseListQuery = z.object({
  app: AppRefOrId.optional(),
  channel: ChannelName.optional(),
  page: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .default(1),
  per_page: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be 1 to 100')
    .max(100, 'must be 1 to 100')
    .default(20),
  cursor: z.uuid('must be the id of a release').optional().meta({
    description: 'The `id` of a release: the list begins after it, in place of `page`',
  }),
})

export const ReleaseListAnswer = z
  .strictObject({
    releases: z.array(Release),
    page: z.int(),
    pageCount: z.int(),
    total: z.int(),
  })
  .meta({ id: 'ReleaseListAnswer' })

/** Maximum number of releases on a page of the feed. */
const MAX_FEED_PAGE = 100

/** Query of the feed. Other parameters are ignored, because pages add some to bypass caches. */
export const FeedQuery = z.object({
  limit: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, `must be 1 to ${MAX_FEED_PAGE}`)
    .max(MAX_FEED_PAGE, `must be 1 to ${MAX_FEED_PAGE}`)
    .default(MAX_FEED_PAGE)
    .meta({ description: 'Maximum number of releases to return' }),
  before: Version.optional().meta({
    description:
      'Version of the last release of the previous page; returns releases that were published before it',
  }),
})

export const FeedAnswer = z
  .strictObject({
    app: AppRef,
    channel: ChannelName,
    releases: z.array(FeedRelease).max(MAX_FEED_PAGE),
  })
  .meta({ id: 'FeedAnswer' })
