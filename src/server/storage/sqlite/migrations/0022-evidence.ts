/** What the state of a device is worth as evidence about a release, and whether new devices count on a channel. */
export const evidence = {
  number: 22,
  name: 'evidence',
  sql: `
    -- Weight, network and whether a key vouches for the device: fleet/health/weight.ts. 0 as long as that is
    -- not known. In release_counts, cells 1,000 to 5,095 and from 2^21 on count devices by weight.
    ALTER TABLE device_states ADD COLUMN evidence INTEGER NOT NULL DEFAULT 0;
    -- 1: devices that anyone can have invented count toward the stops and gates of plans.
    ALTER TABLE channels ADD COLUMN count_new_devices INTEGER NOT NULL DEFAULT 0;
  `,
}
