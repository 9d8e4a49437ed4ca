-- A page of the leaderboard is read without the bots that are not on it.

CREATE INDEX ratings_order ON ratings (rating DESC, bot_id);
