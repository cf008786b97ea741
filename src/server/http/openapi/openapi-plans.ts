import { PlanBody, PlanPlace } from '../../../shared/plans/plan.ts'
import { PlanAnswer, PlanOrNoneAnswer } from '../../../shared/plans/plan-state.ts'
import { KEYED, operations } from './openapi-operation.ts'

const RELEASES = '/api/v1/releases'
const PLAN = `${RELEASES}/plan`
const PLACE = { app: 'editor', channel: 'stable', version: '1.4.0' } as const
const UNKNOWN = 'Unknown app, channel or release, or no plan'
const STATE = 'The state of the release or of its plan does not allow it'

export const PLAN_OPERATIONS = operations('Releases', 'serve', KEYED, {
  showPlan: {
    on: `get ${RELEASES}/{app}/{channel}/{version}/plan`,
    scope: 'read',
    summary: 'Show the plan of a release',
    description: 'Returns the plan of a release and where it stands; null if it has none.',
    answers: { 200: [PlanOrNoneAnswer, 'The plan'] },
  },
  setPlan: {
    on: `put ${PLAN}`,
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
      200: [PlanAnswer, 'The plan'],
      409: 'The release was rolled back, or fails the preflight that the channel requires',
      422: 'The release is paused, is served to devices that a step does not reach or to all that the plan reaches, or a ring has no early access',
    },
  },
  suspendPlan: {
    on: `post ${PLAN}/suspend`,
    summary: 'Suspend a plan',
    description: 'No step is applied until the plan is resumed. The release stays as it is served.',
    body: PlanPlace,
    examples: { one: PLACE },
    answers: { 200: [PlanAnswer, 'The plan'], 404: UNKNOWN, 422: STATE },
  },
  resumePlan: {
    on: `post ${PLAN}/resume`,
    summary: 'Resume a plan',
    description:
      'Goes on from where the release stands now. The time for which the plan was suspended does not count as soak time.',
    body: PlanPlace,
    examples: { one: PLACE },
    answers: {
      200: [PlanAnswer, 'The plan'],
      404: UNKNOWN,
      409: 'The release was rolled back',
      422: STATE,
    },
  },
  removePlan: {
    on: `delete ${PLAN}`,
    summary: 'Remove a plan',
    description:
      'Removes the plan of a release, which is named in the body or in the query. The release stays as it is served.',
    query: PlanPlace.partial(),
    body: PlanPlace,
    bodyIsOptional: true,
    examples: { one: PLACE },
    answers: { 200: [PlanAnswer, 'The plan as it was'], 404: UNKNOWN },
  },
})
