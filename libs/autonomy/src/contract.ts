export { AutonomyView, GrantView, LevelChangeView } from './autonomy-view/grant.view';
export { GetAutonomy, ListLevelChanges } from './autonomy-view/autonomy-queries.query';
export { GrantAutonomy, GrantAutonomyBody } from './grant-autonomy/grant-autonomy.command';
