/**
 * What lists and removals need. None of the indexes has a column that an ordinary check-in changes, so that the update of a
 * device stays on its page: its profile changes with its version only, and its arrival never. The index of the log by time
 * is a summary of each few pages.
 */
export const deviceLists = {
  number: 6,
  name: 'device-lists',
  readableFrom: 4,
  sql: `
    CREATE INDEX devices_of_profile ON devices (profile, id);
    CREATE INDEX devices_by_arrival ON devices (app_key, first_seen, id);
    CREATE INDEX check_ins_by_time ON check_ins USING brin (at) WITH (pages_per_range = 16, autosummarize = on);

    -- Channels that take no check-ins, because a node is removing them. It extends the time while it does.
    CREATE TABLE closing_channels (
      channel_key integer PRIMARY KEY,
      until timestamptz NOT NULL
    );
  `,
}
