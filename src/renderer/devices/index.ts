export { DeviceScreen } from './device/device-screen.tsx'
export { DevicesScreen } from './list/devices-screen.tsx'
