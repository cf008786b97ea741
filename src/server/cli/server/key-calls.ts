import type { z } from 'zod'
import { ConnectionError } from '../../../remote/connection-error.ts'
import type { HttpClient, HttpRequest } from '../../../remote/http-client.ts'
import { AnyRelease, ReleasesInput } from '../../../shared/console/command-line.ts'
import { ApplyDraftInput, DraftsInput } from '../../../shared/console/releases/drafts.ts'
import { SetPlanInput } from '../../../shared/console/releases/plans.ts'
import { ApplyServingInput } from '../../../shared/console/releases/releases.ts'
import { ProofAnswer } from '../../../shared/files/proof.ts'
import { NO_HEALTH, ReleaseHealthAnswer } from '../../../shared/health/health.ts'
import { issueMessage, parsedBy } from '../../../shared/issue.ts'
import { PlanBody, PlanPlace } from '../../../shared/plans/plan.ts'
import { PlanAnswer, PlanOrNoneAnswer } from '../../../shared/plans/plan-state.ts'
import { AdoptionAnswer } from '../../../shared/releases/adoption.ts'
import {
  DraftAnswer,
  DraftBody,
  DraftListAnswer,
  DraftPlace,
} from '../../../shared/releases/draft.ts'
import { PreflightAnswer } from '../../../shared/releases/preflight.ts'
import { PublishBody, ReleaseAnswer } from '../../../shared/releases/release.ts'
import { ReleaseListAnswer } from '../../../shared/releases/release-list.ts'
import { VersionVerdictAnswer } from '../../../shared/releases/version-verdict.ts'
import type { CommandCalls } from './calls.ts'
import { PROGRAM } from './program-name.ts'
import { ApiError, errorOf, KeyInsufficient } from './remote-errors.ts'

interface Parts {
  readonly http: HttpClient
  /** Of the server, such as `https://studio.example`. */
  readonly url: string
  readonly key: string
}

/** Calls the public API (docs/api.md) with an API key: procedures that it does not offer need a person. */
export function keyCalls({ http, url, key }: Parts): CommandCalls {
  /** `path`: of the address, after that of the API. */
  async function ask(path: string, request: Pick<HttpRequest, 'method' | 'body'>) {
    const sender = { kind: 'program', name: PROGRAM, token: key } as const
    const { status, json } = await http.send(`${url}/api/v1/${path}`, { ...request, sender })
    if (status < 400) return json
    const error = errorOf(json)
    if (error === undefined) throw new ConnectionError('not_tidegate', String(status))
    throw new ApiError(status, error)
  }
  const get = (path: string) => ask(path, { method: 'GET' })
  async function changePlan(method: 'PUT' | 'POST' | 'DELETE', path: string, body: unknown) {
    const request = { method, body: JSON.stringify(body) }
    return PlanAnswer.parse(await ask(`releases/plan${path}`, request)).plan
  }
  return {
    async call({ path, input }) {
      switch (path) {
        case 'commandLine.releases': {
          const query = listQuery(ReleasesInput.parse(input))
          return ReleaseListAnswer.parse(await get(`releases?${query}`))
        }
        case 'commandLine.release':
          return ReleaseAnswer.parse(await get(releaseIn(input))).release
        case 'commandLine.adoption':
          return AdoptionAnswer.parse(await get(`${releaseIn(input)}/adoption`)).adoption
        case 'releases.health':
          return ReleaseHealthAnswer.parse(await get(`${releaseIn(input)}/health`)).health
        case 'releases.checkVersion':
          return VersionVerdictAnswer.parse(await get(`${releaseIn(input)}/check`)).verdict
        case 'releases.prove': {
          const request = { method: 'POST', body: '{}' } as const
          return ProofAnswer.parse(await ask(`${releaseIn(input)}/proof`, request)).proof
        }
        case 'releases.proof':
          return ProofAnswer.parse(await get(`${releaseIn(input)}/proof`)).proof
        case 'releases.preflight':
          return PreflightAnswer.parse(await get(`${releaseIn(input)}/preflight`)).preflight
        case 'releases.publish': {
          const body = asGiven(PublishBody, input)
          return ReleaseAnswer.parse(await ask('releases', { method: 'POST', body })).release
        }
        case 'releases.changeServing': {
          const { seenChange: _, ...change } = ApplyServingInput.parse(input)
          const body = JSON.stringify(change)
          return ReleaseAnswer.parse(await ask('releases', { method: 'PATCH', body })).release
        }
        case 'plans.get': {
          const { plan } = PlanOrNoneAnswer.parse(await get(`${releaseIn(input)}/plan`))
          return { plan, health: NO_HEALTH, lastChange: 0 }
        }
        case 'plans.set':
          return await changePlan('PUT', '', PlanBody.parse(withoutSeen(input)))
        case 'plans.suspend':
        case 'plans.resume': {
          const place = PlanPlace.parse(withoutSeen(input))
          return await changePlan('POST', path.replace('plans.', '/'), place)
        }
        case 'plans.remove':
          return await changePlan('DELETE', '', PlanPlace.parse(withoutSeen(input)))
        case 'drafts.list': {
          const query = listQuery(DraftsInput.parse(input))
          return DraftListAnswer.parse(await get(`drafts?${query}`))
        }
        case 'drafts.get': {
          const { draft } = DraftAnswer.parse(await get(`drafts${pathOf(DraftPlace.parse(input))}`))
          return { draft, revision: '' }
        }
        case 'drafts.put': {
          const body = asGiven(DraftBody, input)
          return DraftAnswer.parse(await ask('drafts', { method: 'PUT', body })).draft
        }
        case 'drafts.publish': {
          const { seen: _, content: __, ...publication } = ApplyDraftInput.parse(input)
          const body = JSON.stringify(publication)
          const path = 'drafts/publish'
          return ReleaseAnswer.parse(await ask(path, { method: 'POST', body })).release
        }
        case 'drafts.discard': {
          const body = JSON.stringify(DraftPlace.parse(input))
          return DraftAnswer.parse(await ask('drafts', { method: 'DELETE', body })).draft
        }
        default:
          throw new KeyInsufficient()
      }
    },
  }
}

/**
 * Returns the input as JSON, without defaults for members that were left out: an older server refuses unknown ones. Throws
 * `ApiError` for what a server would refuse.
 */
function asGiven(schema: z.ZodType, input: unknown): string {
  parsedBy(schema, input, (issue) => new ApiError(400, issueMessage(issue)))
  return JSON.stringify(input)
}

function listQuery({
  app,
  channel,
  page,
  perPage,
}: z.output<typeof ReleasesInput>): URLSearchParams {
  const query = new URLSearchParams({ page: String(page), per_page: String(perPage) })
  if (app !== undefined) query.set('app', app)
  if (channel !== undefined) query.set('channel', channel)
  return query
}

/** The API takes no revision that a form was filled in with. */
function withoutSeen(input: unknown): unknown {
  const { seenChange: _, ...rest } = SetPlanInput.partial().parse(input)
  return rest
}

/** The path of the release that an input names. */
function releaseIn(input: unknown): string {
  return `releases${pathOf(AnyRelease.parse(input))}`
}

function pathOf({ app, channel, version }: z.output<typeof AnyRelease>): string {
  return `/${[app, channel, version].map(encodeURIComponent).join('/')}`
}
