/** Finds the devices of an app by the beginning of their id, ignoring case. Check-ins change neither. */
export const deviceSearch = {
  number: 5,
  name: 'device-search',
  readableFrom: 4,
  sql: 'CREATE INDEX devices_by_lower_id ON devices (app_key, lower(device_id), device_id)',
}
