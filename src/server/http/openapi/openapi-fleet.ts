import { DecisionsAnswer, DecisionsBody, ReportAnswer, ReportBody } from '../../../shared/fleet.ts'
import { KEYED, operations } from './openapi-operation.ts'

const DEVICE = {
  deviceId: '0b0e9a9e-5b61-4d0e-8f5e-1f8a6c2d9b37',
  version: '1.3.2',
  platform: 'windows',
  arch: 'x86_64',
} as const

/** Operations on many devices. */
export const FLEET_OPERATIONS = operations('Fleet', 'fleet', KEYED, {
  planWave: {
    on: 'post /api/v1/fleet/decisions',
    summary: 'Plan an update wave for up to 500 devices',
    description:
      'Returns for each device what its own update check would return. Unless it is a dry run, devices, labels and check-ins are stored before the response is sent.',
    body: DecisionsBody,
    examples: {
      dryRun: { app: 'editor', channel: 'stable', dryRun: true, devices: [DEVICE] },
      labels: { app: 'editor', devices: [{ ...DEVICE, labels: { ring: 'beta' } }] },
    },
    answers: {
      200: [DecisionsAnswer, 'One decision per device, in the order of the request'],
    },
  },
  reportState: {
    on: 'post /api/v1/fleet/report',
    summary: 'Report the state of up to 500 devices',
    description:
      'Records a check-in for each device. Platform, arch and labels that an item leaves out do not change.',
    body: ReportBody,
    examples: {
      versions: { app: 'editor', devices: [{ deviceId: 'kiosk-17', version: '1.4.0' }] },
      labels: { app: 'editor', devices: [{ ...DEVICE, labels: { site: 'berlin', ring: '' } }] },
    },
    answers: { 200: [ReportAnswer, 'The check-ins are stored'] },
  },
})
