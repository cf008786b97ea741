import {
  DraftAnswer,
  DraftBody,
  DraftListAnswer,
  DraftListQuery,
  DraftPlace,
  PublishDraftBody,
} from '../../../shared/releases/draft.ts'
import { ReleaseAnswer } from '../../../shared/releases/release.ts'
import { KEYED, operations } from './openapi-operation.ts'

const DRAFTS = '/api/v1/drafts'
const PLACE = { app: 'editor', channel: 'stable', version: '1.4.0' } as const
const UNKNOWN = 'Unknown app, channel or draft'

export const DRAFT_OPERATIONS = operations('Drafts', 'publish', KEYED, {
  listDrafts: {
    on: `get ${DRAFTS}`,
    summary: 'List drafts, last changed first',
    description: 'Returns the drafts that the key can see. Unknown parameters are rejected.',
    query: DraftListQuery,
    answers: { 200: [DraftListAnswer, 'A page of drafts'] },
  },
  showDraft: {
    on: `get ${DRAFTS}/{app}/{channel}/{version}`,
    summary: 'Show a draft',
    description: 'Returns one draft.',
    answers: { 200: [DraftAnswer, 'The draft'], 404: UNKNOWN },
  },
  putDraft: {
    on: `put ${DRAFTS}`,
    summary: 'Create a draft or add to it',
    description:
      'Adds artifacts to the draft of a version, and sets its notes if they are given. Creates the draft if there is none. An artifact replaces the one for the same platform, architecture and kind. Calls at the same time lose nothing.',
    body: DraftBody,
    examples: {
      oneJob: {
        ...PLACE,
        artifacts: [
          {
            platform: 'linux',
            arch: 'x86_64',
            kind: 'deb',
            url: 'https://downloads.example/editor_1.4.0_amd64.deb',
            sha512: '3f'.repeat(64),
          },
        ],
      },
    },
    answers: {
      200: [DraftAnswer, 'The draft with everything in it'],
      409: 'The version already exists on the channel',
      422: 'Too many artifacts or drafts',
    },
  },
  publishDraft: {
    on: `post ${DRAFTS}/publish`,
    summary: 'Publish a draft',
    description:
      'Creates the release and removes the draft. If the draft lacks an artifact of `expect`, nothing happens and the error names all that are missing.',
    body: PublishDraftBody,
    examples: {
      complete: {
        ...PLACE,
        rolloutPct: 10,
        expect: [
          { platform: 'darwin', arch: 'aarch64' },
          { platform: 'linux', arch: 'x86_64', kind: 'deb' },
        ],
      },
    },
    answers: {
      201: [ReleaseAnswer, 'Published'],
      404: UNKNOWN,
      409: 'The version already exists on the channel, or fails the preflight that the channel requires',
      422: 'The draft lacks expected artifacts',
    },
  },
  discardDraft: {
    on: `delete ${DRAFTS}`,
    summary: 'Discard a draft',
    description: 'Deletes a draft, which is named in the body or in the query.',
    query: DraftPlace.partial(),
    body: DraftPlace,
    bodyIsOptional: true,
    examples: { one: PLACE },
    answers: { 200: [DraftAnswer, 'The draft as it was'], 404: UNKNOWN },
  },
})
