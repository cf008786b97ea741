import { WANDERER } from '../seed.ts'
import { clicked, type Shot } from './shot.ts'

/** Devices. */
export const DEVICES: readonly Shot[] = [
  { name: 'devices', path: '/devices?app=editor' },
  { name: 'devices-label', path: '/devices?app=editor&search=ring%3Dearly&sort=version' },
  { name: 'devices-none', path: '/devices?app=editor&search=nobody' },
  { name: 'devices-silent', path: '/devices?app=viewer' },
  { name: 'device', path: `/devices/editor/${WANDERER}` },
  clicked('device-forget', `/devices/editor/${WANDERER}`, 'Forget device'),
  { name: 'device-rolled-back', path: '/devices/editor/stable-2.1.0-1' },
  { name: 'device-untargeted', path: '/devices/editor/beta-2.4.0-beta.1-1' },
]
