/** Artifacts have a kind of bundle; empty if it is not given. Releases that wait for approval get it too. */
export const bundleKinds = {
  number: 12,
  name: 'bundle kinds',
  sql: `
    ALTER TABLE artifacts ADD COLUMN kind TEXT NOT NULL DEFAULT '';

    UPDATE change_requests SET change = json_set(change, '$.artifacts', json((
        SELECT json_group_array(json_set(a.value, '$.kind', '') ORDER BY a.key)
        FROM json_each(change, '$.artifacts') a
      )))
      WHERE json_type(change, '$.artifacts') = 'array';
  `,
}
