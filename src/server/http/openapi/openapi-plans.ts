import { PlanAnswer, PlanBody, PlanOrNoneAnswer, PlanPlace } from '../../../shared/plan.ts'
import { ReleasePath } from '../../../shared/release.ts'
import { answer, BODY, error, KEYED, type Operation, parametersOf } from './openapi-operation.ts'

const RELEASES = '/api/v1/releases'
const PLAN = `${RELEASES}/plan`
const PLACE = { app: 'editor', channel: 'stable', version: '1.4.0' } as const
const SERVED = { scope: 'serve', tag: 'Releases' } as const
const UNKNOWN = error('Unknown app, channel or release, or no plan')
const STATE = error('The state of the release or of its plan does not allow it')

/** Operations on the plans of releases. */
export const PLAN_OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'get', path: `${RELEASES}/{app}/{channel}/{version}/plan`, id: 'showPlan' },
    ...{ scope: 'read', tag: 'Releases' },
    summary: 'Show the plan of a release',
    description: 'Returns the plan of a release and where it stands; null if it has none.',
    parameters: parametersOf(ReleasePath, 'path'),
    answers: { 200: answer(PlanOrNoneAnswer, 'The plan'), ...KEYED },
  },
  {
    ...{ method: 'put', path: PLAN, id: 'setPlan', ...SERVED },
    summary: 'Set the plan of a release',
    description:
      'Sets the plan in place of the one that the release has. Steps that the release is past are left out; the first one is applied immediately if it is due. Setting the plan that is running changes nothing.',
    body: PlanBody,
    examples: {
      threeSteps: {
        ...PLACE,
        plan: {
          steps: [
            { rolloutPct: 10, soakHours: 24, gate: { maxFailedPct: 2 } },
            { rolloutPct: 50, soakHours: 24 },
            { rolloutPct: 100, soakHours: 24 },
          ],
          windows: [{ days: ['mon', 'tue', 'wed', 'thu'], from: '09:00', to: '16:00' }],
          timeZone: 'Europe/Berlin',
        },
      },
    },
    answers: {
      200: answer(PlanAnswer, 'The plan'),
      ...BODY,
      409: error('The release was rolled back'),
      422: error(
        'The release is paused, is served to devices that a step does not reach or to all that the plan reaches, or a ring has no early access',
      ),
    },
  },
  {
    ...{ method: 'post', path: `${PLAN}/suspend`, id: 'suspendPlan', ...SERVED },
    summary: 'Suspend a plan',
    description: 'No step is applied until the plan is resumed. The release stays as it is served.',
    body: PlanPlace,
    examples: { one: PLACE },
    answers: { 200: answer(PlanAnswer, 'The plan'), ...BODY, 404: UNKNOWN, 422: STATE },
  },
  {
    ...{ method: 'post', path: `${PLAN}/resume`, id: 'resumePlan', ...SERVED },
    summary: 'Resume a plan',
    description:
      'Goes on from where the release stands now. The time for which the plan was suspended does not count as soak time.',
    body: PlanPlace,
    examples: { one: PLACE },
    answers: {
      200: answer(PlanAnswer, 'The plan'),
      ...BODY,
      404: UNKNOWN,
      409: error('The release was rolled back'),
      422: STATE,
    },
  },
  {
    ...{ method: 'delete', path: PLAN, id: 'removePlan', ...SERVED },
    summary: 'Remove a plan',
    description:
      'Removes the plan of a release, which is named in the body or in the query. The release stays as it is served.',
    parameters: parametersOf(PlanPlace.partial(), 'query'),
    body: PlanPlace,
    bodyIsOptional: true,
    examples: { one: PLACE },
    answers: { 200: answer(PlanAnswer, 'The plan as it was'), ...BODY, 404: UNKNOWN },
  },
]
