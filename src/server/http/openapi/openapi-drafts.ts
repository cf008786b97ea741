import {
  DraftAnswer,
  DraftBody,
  DraftListAnswer,
  DraftListQuery,
  DraftPlace,
  PublishDraftBody,
} from '../../../shared/draft.ts'
import { ReleaseAnswer, ReleasePath } from '../../../shared/release.ts'
import { answer, BODY, error, KEYED, type Operation, parametersOf } from './openapi-operation.ts'

const DRAFTS = '/api/v1/drafts'
const PLACE = { app: 'editor', channel: 'stable', version: '1.4.0' } as const
const TAGGED = { scope: 'publish', tag: 'Drafts' } as const
const UNKNOWN = error('Unknown app, channel or draft')

/** Operations on drafts. */
export const DRAFT_OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'get', path: DRAFTS, id: 'listDrafts', ...TAGGED },
    summary: 'List drafts, last changed first',
    description: 'Returns the drafts that the key can see. Unknown parameters are rejected.',
    parameters: parametersOf(DraftListQuery, 'query'),
    answers: { 200: answer(DraftListAnswer, 'A page of drafts'), ...KEYED },
  },
  {
    ...{ method: 'get', path: `${DRAFTS}/{app}/{channel}/{version}`, id: 'showDraft', ...TAGGED },
    summary: 'Show a draft',
    description: 'Returns one draft.',
    parameters: parametersOf(ReleasePath, 'path'),
    answers: { 200: answer(DraftAnswer, 'The draft'), ...KEYED, 404: UNKNOWN },
  },
  {
    ...{ method: 'put', path: DRAFTS, id: 'putDraft', ...TAGGED },
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
      200: answer(DraftAnswer, 'The draft with everything in it'),
      ...BODY,
      409: error('The version already exists on the channel'),
      422: error('Too many artifacts or drafts'),
    },
  },
  {
    ...{ method: 'post', path: `${DRAFTS}/publish`, id: 'publishDraft', ...TAGGED },
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
      201: answer(ReleaseAnswer, 'Published'),
      ...BODY,
      404: UNKNOWN,
      409: error('The version already exists on the channel'),
      422: error('The draft lacks expected artifacts'),
    },
  },
  {
    ...{ method: 'delete', path: DRAFTS, id: 'discardDraft', ...TAGGED },
    summary: 'Discard a draft',
    description: 'Deletes a draft, which is named in the body or in the query.',
    parameters: parametersOf(DraftPlace.partial(), 'query'),
    body: DraftPlace,
    bodyIsOptional: true,
    examples: { one: PLACE },
    answers: { 200: answer(DraftAnswer, 'The draft as it was'), ...BODY, 404: UNKNOWN },
  },
]
