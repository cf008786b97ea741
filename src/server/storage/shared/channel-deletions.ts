/** Tables with rows of releases, by their ids. */
const OF_RELEASES = ['artifacts', 'proofs', 'plans', 'release_sessions', 'session_devices']

/**
 * Returns the statements that delete channels with all their data but the devices, in their order: of the fleet, of the
 * catalog, and what belongs to their releases, whose ids must be read before. `are`: what follows a column to compare it
 * with the only parameter, which is the keys of the channels, and then the ids of the releases.
 */
export function channelDeletions(are: string) {
  const ofChannels = `WHERE channel_key ${are}`
  const ofProfiles = `WHERE profile IN (SELECT id FROM profiles ${ofChannels})`
  const ofOffered = `WHERE release IN (SELECT number FROM offered_releases ${ofChannels})`
  const from = (tables: readonly string[], where: string) =>
    tables.map((table) => `DELETE FROM ${table} ${where}`)
  return {
    // The releases last, and then the profiles: the others find them by these.
    fleet: [
      ...from(['adoption', 'hourly_adoption', 'presence'], ofProfiles),
      ...from(['traffic'], ofChannels),
      ...from(['release_counts', 'health_samples', 'outcome_details'], ofOffered),
      ...from(['offered_releases', 'profiles'], ofChannels),
    ],
    // The triggers require that channels go before their releases, and releases before what belongs to them.
    catalog: [
      ...from(['change_requests', 'drafts'], ofChannels),
      ...from(['channels'], `WHERE key ${are}`),
    ],
    ofReleases: [
      ...from(['releases'], `WHERE id ${are}`),
      ...from(OF_RELEASES, `WHERE release_id ${are}`),
    ],
  }
}
